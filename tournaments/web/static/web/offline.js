// What a player needs where the network does not: the own seat page kept on this device as it was last seen, and a report
// kept until the server has taken it, once. Nothing of it outlives the account's session: signing out empties it, and so
// does any page that another account, or nobody, reads in this browser. See docs/decisions/0011.
(() => {
  "use strict";
  const PAGES = "arbitre-pages"; // both as in offline-worker.js
  const FILES = "arbitre-files";
  const UNSENT = "arbitre-unsent";
  const OWNER = "arbitre-owner";
  const KEPT = 24 * 60 * 60 * 1000; // milliseconds: as long as the server knows the key of what it was sent
  const PAUSE = 5000; // milliseconds between two tries, on average: the phones of a full hall must not come all at once
  const BUSY = "busy"; // the server has answered, but took nothing
  const TIMEOUT = 15000; // milliseconds a try may take
  const { account, offlineWorker, offlinePage, keepsFiles } = document.body.dataset;
  const box = document.getElementById("unsent-reports");
  if (account === undefined) return; // an error page knows no account

  // ------------------------------------------------------------------ whose it is
  const forgetPages = () => window.caches?.delete(PAGES);
  const endNotifications = async () => {
    const worker = await navigator.serviceWorker?.getRegistration();
    await (await worker?.pushManager?.getSubscription())?.unsubscribe();
  };
  const forget = () => {
    endNotifications().catch(() => {});
    localStorage.removeItem(UNSENT);
    localStorage.removeItem(OWNER);
    for (const name of Object.keys(localStorage)) if (name.startsWith("table:")) localStorage.removeItem(name); // of the recorder
    return forgetPages();
  };
  const owner = localStorage.getItem(OWNER);
  if (account && owner !== account) {
    forget();
    localStorage.setItem(OWNER, account);
  } else if (!account && owner) forgetPages(); // the session ended by itself: a report waits for its account to come back
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-forget]")) forget();
  });

  // ------------------------------------------------------------------ the page
  delete document.body.dataset.keptAt; // clock.js and live.js have read it
  let policy = null; // the headers that every answer of the site carries, for the page that is kept too
  const keepPage = async () => {
    if (!document.querySelector("#me, #play")) return;
    const copy = document.documentElement.cloneNode(true);
    copy.querySelector("#play")?.setAttribute("hidden", ""); // table.js opens it again
    copy.querySelector("#recorder")?.removeAttribute("hidden");
    copy.querySelector("body").classList.remove("is-playing");
    const at = Date.now();
    const address = location.href;
    policy ??= (await fetch(offlineWorker)).headers;
    const headers = new Headers(policy);
    headers.set("Content-Type", "text/html; charset=utf-8");
    headers.set("X-Kept-At", at);
    copy.querySelector("body").dataset.keptAt = at;
    const pages = await caches.open(PAGES);
    await pages.put(address, new Response(`<!DOCTYPE html>${copy.outerHTML}`, { headers }));
    if (localStorage.getItem(OWNER) !== account) forgetPages(); // signed out meanwhile
  };
  const keepFiles = async () => {
    const files = [...document.querySelectorAll("link[rel=stylesheet], script[src]")].map((file) => file.href || file.src);
    const cache = await caches.open(FILES);
    await cache.addAll(files);
    // The rules are large: what has a version or a hash in its name is kept once.
    for (const file of document.querySelector("[data-offline-files]")?.dataset.offlineFiles.split(" ") ?? []) {
      if (!/pyodide-|\.[0-9a-f]{12}\./.test(file) || !(await cache.match(file))) await cache.add(file);
    }
  };
  const quietly = (promise) => promise?.catch(() => {}); // off the network, or a browser without room: as if it were not there
  // What the browser shows for pages that are not kept: anew each day, and in the language of the reader.
  const keepOfflinePage = async () => {
    const cache = await caches.open(FILES);
    const headers = (await cache.match(offlinePage))?.headers;
    const isCurrent = headers?.get("Content-Language") === document.documentElement.lang && Date.now() - Date.parse(headers.get("Date")) < KEPT;
    if (!isCurrent) await cache.addAll([offlinePage, document.querySelector("link[rel=stylesheet]").href]);
  };
  // One worker for the whole site. Before, seats and recordings each had their own, and the narrower one would go first.
  const registerWorker = async () => {
    const { scope } = await navigator.serviceWorker.register(offlineWorker);
    for (const earlier of await navigator.serviceWorker.getRegistrations()) if (earlier.scope !== scope) await earlier.unregister();
  };
  if (navigator.serviceWorker && window.caches) {
    quietly(registerWorker());
    quietly(keepOfflinePage());
    if (keepsFiles !== undefined) {
      quietly(keepFiles());
      quietly(keepPage());
      for (const change of ["htmx:afterSettle", "live:put"]) document.addEventListener(change, () => quietly(keepPage()));
    }
  }

  // ------------------------------------------------------------------ reports
  if (!account || !box) return;
  const unsent = () => JSON.parse(localStorage.getItem(UNSENT) || "[]").filter(({ at }) => Date.now() - at < KEPT);
  const keep = (reports) => localStorage.setItem(UNSENT, JSON.stringify(reports));
  const taken = (key) => keep(unsent().filter((report) => report.key !== key));
  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  const tell = (words) => {
    box.hidden = !words.length;
    box.replaceChildren(
      ...words.map((text) => Object.assign(document.createElement("p"), { textContent: text })),
    );
    if (words.length) box.scrollIntoView({ block: "nearest" });
  };
  const time = (at) => new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);
  const tellUnsent = (sentence = box.dataset.kept) =>
    tell(unsent().map(({ words, at }) => sentence.replace("{report}", words).replace("{time}", time(at))));

  // The answer in the place of what is shown: on the page the report was made on, its messages alone elsewhere.
  const show = (answer, page, address, pressedOn) => {
    const messages = document.getElementById("messages");
    const content = document.getElementById("content");
    const fresh = page.getElementById("content");
    const refused = page.querySelector("main .notice--bad[role=alert], main .errors");
    if (!answer.ok && refused && location.pathname !== address) {
      messages.replaceChildren(refused);
      messages.scrollIntoView({ block: "nearest" });
      for (const part of document.querySelectorAll("[data-live]")) window.htmx?.trigger(part, "live");
      return;
    }
    messages.innerHTML = page.getElementById("messages").innerHTML;
    if (!fresh || ![address, pressedOn, new URL(answer.url).pathname].includes(location.pathname)) return;
    content.replaceWith(fresh);
    document.title = page.title;
    history.replaceState(null, "", answer.url);
    window.htmx?.process(fresh);
    messages.scrollIntoView({ block: "nearest" });
    quietly(keepPage());
  };

  const send = async ({ key, address, pressedOn, fields }) => {
    const body = new URLSearchParams(fields);
    body.set("form_token", key);
    body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
    const headers = { "X-Shown-Page": location.pathname + location.search };
    const answer = await fetch(address, { method: "POST", body, headers, signal: AbortSignal.timeout(TIMEOUT) });
    if (answer.headers.get("X-Account") === account) { // what has changed on this page, in the form of the stream
      const detail = await answer.json();
      taken(key);
      tellUnsent();
      document.getElementById("messages").replaceChildren();
      document.dispatchEvent(new CustomEvent("live:answer", { detail }));
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const busy = answer.status === 429 || answer.status >= 500 || page.querySelector("main code")?.textContent === "in_progress";
    if (busy) throw new Error(BUSY);
    if (page.body.dataset.account !== account) return tellUnsent(box.dataset.signIn); // signed out elsewhere
    taken(key);
    tellUnsent();
    show(answer, page, address, pressedOn);
  };

  let trying = null;
  const sendAll = async () => {
    window.clearTimeout(trying);
    const late = window.setTimeout(tellUnsent, 1500);
    try {
      for (let report; (report = unsent()[0]); ) {
        await send(report);
        if (unsent()[0]?.key === report.key) break; // its account has to come back first
      }
    } catch ({ message }) {
      tellUnsent(message === BUSY ? box.dataset.busy : undefined);
      trying = window.setTimeout(sendOnce, PAUSE * (0.6 + 0.8 * Math.random()));
    } finally {
      window.clearTimeout(late);
    }
  };
  // One page of the browser sends at a time; without locks the key alone keeps a report from counting twice.
  const sendOnce = () => {
    if (!unsent().length) return;
    if (navigator.locks) navigator.locks.request("arbitre-sending", { ifAvailable: true }, (lock) => lock ? sendAll() : wait());
    else sendAll();
  };
  const wait = () => {
    window.clearTimeout(trying);
    trying = window.setTimeout(sendOnce, PAUSE * (0.6 + 0.8 * Math.random()));
  };

  // On the window, so that pages with a way of their own to send come first.
  window.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    if (form.matches("[data-keep]")) {
      event.preventDefault();
      const fields = [...new FormData(form, event.submitter)].filter(([name]) => name !== "csrfmiddlewaretoken");
      const address = new URL(form.action).pathname;
      const words = (event.submitter ?? form.querySelector("button")).textContent.trim().replace(/\s+/g, " ");
      // What is said last of a match is what counts: it takes the place of what has not left yet.
      keep([...unsent().filter((report) => report.match !== form.dataset.keep), { key: newKey(), match: form.dataset.keep, address, pressedOn: location.pathname, fields, words, at: Date.now() }]);
      sendOnce();
    } else if (!navigator.onLine) {
      event.preventDefault(); // the browser's own page would throw away what was typed
      tell([box.dataset.offline]);
    }
  });
  window.addEventListener("online", () => {
    tellUnsent();
    sendOnce();
  });
  document.addEventListener("visibilitychange", () => document.hidden || sendOnce());
  if (unsent().length) {
    tellUnsent();
    sendOnce();
  }
})();
