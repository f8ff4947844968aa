// Keeps open pages true: one stream a browser tells that an event has moved. What everybody sees of it comes in the stream
// itself, as elements by their id; for the rest each page asks for its fragments again. A fragment is an element with an
// id, data-live="topic topic:digest", hx-get and hx-trigger="live". What concerns this reader alone is asked for at once;
// what all are told is spread over a time that grows with their number. Where the stream is cut, the page asks every 20
// seconds instead, and says of when what it shows is. Hidden tabs hold no stream; when they are seen again, the stream
// tells what they missed. A reader who has lost the right to the stream is told to reload the page.
(() => {
  "use strict";
  const address = document.body.dataset.liveStream;
  const line = document.getElementById("status-line");
  const LEAST = 300; // milliseconds over which requests are spread, however few follow
  const COST = Number(document.body.dataset.liveCost ?? 3); // milliseconds of the server for this page: more for a page of one's own
  let followers = 0; // how many follow the event
  const spread = () => Math.random() * Math.max(LEAST, followers * COST);
  const POLL = 20000;
  const TRY_AGAIN = 60000;
  const CATCH_UP = 3000; // milliseconds that the stream has to tell a page what it missed
  const SILENCE = 40000; // milliseconds: the server sends a beat every 15 seconds

  // ------------------------------------------------------------------ fragments
  const waiting = new Set(); // fragments in which somebody is typing: refreshed when the focus leaves the form

  const changed = (field) => field.matches("input:not([type=file]), textarea") && field.value !== field.defaultValue;
  const typing = (element) => {
    const active = document.activeElement;
    if (!element.contains(active)) return false;
    return active.matches("textarea, select, input:not([type=button], [type=submit])") || [...(active.form ?? [])].some(changed);
  };

  // A fragment has one request at a time. What it is told of meanwhile it asks for afterwards: htmx would forget it, as
  // the element that waits is replaced by the answer.
  const SETTLED = 50; // milliseconds: htmx hears nothing on an element that it has just put in place
  const asking = new Map(); // fragments whose request is under way, by id
  const askAgain = new Set(); // ids of those that were told of something since
  const refresh = (element) => {
    const { id } = element;
    if (typing(element)) waiting.add(id);
    else if (asking.get(id) === element) askAgain.add(id);
    else if (element.classList.contains("htmx-settling")) refreshIn(element, SETTLED);
    else htmx.trigger(element, "live");
  };
  const askAnew = () => {
    for (const id of [...askAgain].filter((each) => !asking.get(each)?.isConnected)) {
      askAgain.delete(id);
      const present = document.getElementById(id);
      if (present) refresh(present);
    }
  };
  document.addEventListener("htmx:beforeSend", ({ detail: { elt } }) => { if (elt.matches("[data-live]")) asking.set(elt.id, elt); });
  document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt } } }) => {
    if (asking.get(elt.id) === elt) asking.delete(elt.id);
    askAnew();
  });
  document.addEventListener("htmx:afterSettle", askAnew);

  // A press that ends on another element than the one it began on is not a click, so what is pressed is not replaced
  // until it is let go.
  let pressed = null;
  let postponed = new Map(); // what then is done, by the id of the element
  const isPressed = (element) => pressed !== null && element.contains(pressed);
  const letUp = () => {
    if (!pressed) return;
    window.setTimeout(() => { // the click follows the end of the press
      pressed = null;
      const acts = [...postponed.values()];
      postponed = new Map();
      for (const act of acts) act();
    });
  };
  document.addEventListener("pointerdown", ({ button, target }) => { if (button === 0) pressed = target; }, true);
  document.addEventListener("keydown", ({ key, target }) => { if (key === " ") pressed = target; }, true);
  for (const end of ["pointerup", "pointercancel", "keyup", "dragend"]) document.addEventListener(end, letUp, true);
  window.addEventListener("blur", letUp);

  // Which of its topics a fragment was told of: "own" by digest, "all" in general, or none.
  const touched = (element, topics) => {
    if (topics === null) return "all";
    const about = element.dataset.live.split(" ");
    if (topics.some((topic) => topic.includes(":") && about.includes(topic))) return "own";
    const general = (topic) => topic.split(":")[0];
    return topics.some((topic) => about.includes(general(topic)) || (!topic.includes(":") && about.some((each) => general(each) === topic))) ? "all" : "";
  };
  const due = new Map(); // fragments that wait for their turn, by id: the timer
  const refreshIn = (element, wait) => {
    const { id } = element;
    if (due.has(id)) return;
    due.set(id, window.setTimeout(() => {
      due.delete(id);
      const present = document.getElementById(id);
      if (present && !document.hidden) refresh(present);
    }, wait));
  };
  const refreshAbout = (topics, wait = spread) => {
    for (const element of document.querySelectorAll("[data-live]")) {
      const how = touched(element, topics);
      if (how === "own") refresh(element);
      else if (how === "all") refreshIn(element, wait());
    }
  };

  // ------------------------------------------------------------------ parts
  const own = (document.body.dataset.own ?? "").split(" ").filter(Boolean);
  const markOwn = () => {
    for (const id of own) for (const line of document.querySelectorAll(`[data-entrant="${id}"]`)) line.dataset.mine = "";
  };
  const put = (parts, revision) => {
    for (const [id, html] of Object.entries(parts ?? {})) {
      const old = document.getElementById(id);
      if (!old && id === "report-box") refreshAbout(null); // the page does not show this round yet
      if (!old || Number(old.dataset.at) > revision) continue; // newer already: the answer to the reader's own report
      if (isPressed(old)) {
        postponed.set(id, () => put({ [id]: html }, revision));
        continue;
      }
      if (typing(old)) {
        waiting.add(old.closest("[data-live]")?.id);
        continue;
      }
      const focused = old.contains(document.activeElement);
      const template = document.createElement("template");
      template.innerHTML = html;
      const fresh = template.content.firstElementChild;
      for (const { id } of old.querySelectorAll("details[open][id]")) fresh.querySelector(`#${id}`)?.setAttribute("open", "");
      if (revision) fresh.dataset.at = revision;
      old.replaceWith(fresh);
      if (focused) fresh.querySelector("a, button")?.focus({ preventScroll: true });
    }
    markOwn();
    if (parts) document.dispatchEvent(new Event("live:put"));
  };
  document.addEventListener("live:answer", ({ detail: { parts, revision } }) => put(parts, revision)); // from offline.js

  document.addEventListener("focusout", () => {
    window.setTimeout(() => {
      for (const id of [...waiting]) {
        const element = document.getElementById(id);
        if (!element || typing(element)) continue;
        waiting.delete(id);
        refresh(element);
      }
    });
  });

  // What a reader opened, typed or has the focus on stays when a live fragment is replaced.
  let opened = [];
  let typed = [];
  let focused = null; // htmx itself keeps the focus on what has an id
  const likeness = (element) =>
    [element.parentElement.id, element.getAttribute("href"), element.form?.getAttribute("action"), element.name, element.value].join(" ");
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const { target, requestConfig } = detail;
    if (isPressed(target) && requestConfig.elt.matches("[data-live]")) {
      detail.shouldSwap = false;
      postponed.set(target.id, () => { const present = document.getElementById(target.id); if (present) refresh(present); });
      return;
    }
    opened = [...target.querySelectorAll("details[open][id]")].map((details) => details.id);
    if (!requestConfig.elt.matches("[data-live]")) return;
    typed = [...target.querySelectorAll("input[id], textarea[id]")].filter(changed).map((field) => [field.id, field.value]);
    const active = document.activeElement;
    if (target.contains(active) && !active.id) focused = [active.localName, likeness(active)];
  });
  document.addEventListener("htmx:afterSwap", () => {
    markOwn();
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
    for (const [id, value] of typed) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
    if (focused) {
      const same = [...document.querySelectorAll(`main ${focused[0]}`)].find((element) => likeness(element) === focused[1]);
      same?.focus({ preventScroll: true });
    }
    opened = [];
    typed = [];
    focused = null;
  });

  // ------------------------------------------------------------------ connection
  const asItWas = document.querySelector("[data-kept-seconds]"); // the notice of a busy site that has sent an older page
  const upToDate = () => asItWas?.dataset.reloads === undefined && asItWas?.remove(); // else the reader's own page is to come
  let known = Number(document.body.dataset.keptAt) || Date.now() - 1000 * (asItWas?.dataset.keptSeconds ?? 0); // until then, what the page shows was true
  const isLost = () => line?.className.startsWith("connection") ?? false;
  const say = (text, lost) => {
    if (!line || line.textContent === text) return;
    line.textContent = text;
    line.className = lost ? "connection notice notice--warn" : "sr-only";
  };
  const instant = (at) => {
    const today = new Date(at).toDateString() === new Date().toDateString();
    const format = { hour: "2-digit", minute: "2-digit", ...(today ? {} : { weekday: "long" }) };
    return new Intl.DateTimeFormat(document.documentElement.lang, { ...format, timeZone: document.body.dataset.zone, hourCycle: "h23" }).format(at);
  };
  let refused = false; // the reader may not have the stream any more
  const lost = () => line && !refused && say(line.dataset.lost.replace("{time}", instant(known)), true);
  const back = () => isLost() && !refused && say(line.dataset.back, false);
  const alive = () => { if (!isLost()) known = Date.now(); };
  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:afterOnLoad", ({ detail: { requestConfig: { elt }, xhr } }) => { // its own elt is what stands there now
    if (xhr.status === 503 && elt.matches("[data-live]")) refreshIn(elt, (Number(xhr.getResponseHeader("Retry-After")) || 5) * 1000 * (1 + Math.random()));
    if (xhr.status >= 500) return lost();
    if (elt.matches("[data-live]")) {
      known = Date.now();
      if (!due.size && !asking.size) upToDate();
    }
    back();
  });
  window.addEventListener("offline", lost);
  window.addEventListener("online", () => document.hidden || refreshAbout(null));
  if (document.body.dataset.keptAt) {
    lost(); // a page that offline.js has kept on this device: the network did not give it
    window.addEventListener("load", () => refreshAbout(null, () => 0));
  }

  if (!address || !window.EventSource) return;

  // Tabs that show the same kind of thing share one stream; the one that holds it tells the others.
  const asks = new URL(address, location.href);
  const name = ["arbitre-live", asks.pathname, asks.searchParams.get("pairings"), asks.searchParams.get("language")].join(" ");
  const channel = window.BroadcastChannel ? new BroadcastChannel(name) : null;

  let seen = null; // the position up to which this tab was told
  const hear = (told) => {
    followers = told.followers ?? followers;
    if (document.hidden) return;
    seen = told.at ?? seen;
    if (told.beat) return alive();
    put(told.parts, told.revision);
    if (told.topics === null || told.topics.length) refreshAbout(told.topics);
    if (told.topics !== null && !isLost()) known = Date.now();
  };
  const tellAll = (told) => {
    channel?.postMessage(told);
    hear(told);
  };
  const everything = () => tellAll({ topics: null });
  if (channel) channel.onmessage = (message) => hear(message.data);

  // ------------------------------------------------------------------ the stream, held by one tab
  let source = null;
  let polling = null;
  let again = null;
  let late = null; // seen again, and not yet told what was missed
  let release = null;
  let asked = null;
  let silence = null;

  // A network that is gone without a word leaves the stream open for minutes: it is opened anew when no beat comes.
  const listen = () => {
    window.clearTimeout(silence);
    silence = window.setTimeout(() => { close(); open(); everything(); }, SILENCE);
  };

  const stopPolling = () => {
    window.clearInterval(polling);
    polling = null;
  };

  // An EventSource does not tell why it was closed, so the same address is asked once more.
  const askWhy = async (from) => {
    const attempt = new AbortController();
    const { status } = await fetch(from, { signal: attempt.signal }).catch(() => ({}));
    attempt.abort();
    if (status !== 403) return;
    if (line) say(line.dataset.refused, true);
    refused = true;
    letGo();
  };

  const open = () => {
    if (refused) return;
    const from = new URL(address, location.href);
    if (seen) from.searchParams.set("since", seen);
    source = new EventSource(from);
    source.onopen = () => {
      stopPolling();
      listen();
      if (isLost()) everything();
    };
    source.addEventListener("now", ({ data }) => {
      window.clearTimeout(late);
      upToDate();
      const measured = Number(data) - Date.now(); // for clock.js: what a page that is kept says of the time may be seconds old
      const { clockOffset } = document.body.dataset;
      document.body.dataset.clockOffset = clockOffset === undefined ? measured : Math.max(measured, Number(clockOffset));
    });
    source.addEventListener("beat", ({ lastEventId }) => {
      listen();
      tellAll({ beat: true, at: lastEventId });
    });
    source.addEventListener("revision", (event) => {
      listen();
      tellAll({ ...JSON.parse(event.data), at: event.lastEventId });
    });
    source.onerror = () => {
      polling ??= window.setInterval(everything, POLL);
      if (source?.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
      window.clearTimeout(again);
      again = window.setTimeout(() => { close(); open(); }, TRY_AGAIN);
      askWhy(from);
    };
  };

  const close = () => {
    source?.close();
    source = null;
    window.clearTimeout(silence);
    stopPolling();
    window.clearTimeout(again);
  };

  const hold = () => {
    if (!navigator.locks) return open();
    asked = new AbortController();
    navigator.locks
      .request(name, { signal: asked.signal }, () => new Promise((done) => { release = done; open(); }))
      .catch(({ name }) => {
        if (name !== "AbortError" && !document.hidden) open(); // a frame of another site may have no locks
      }); // else given up while waiting: the tab was hidden
  };

  const letGo = () => {
    window.clearTimeout(late);
    close();
    asked?.abort();
    release?.();
    asked = release = null;
  };

  // The stream says what was missed. Where another tab holds it, or it does not come in time, everything is asked for.
  const seenAgain = () => {
    if (refused) return;
    window.clearTimeout(late);
    late = window.setTimeout(() => refreshAbout(null, () => Math.random() * LEAST), CATCH_UP);
    hold();
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? letGo() : seenAgain()));
  window.addEventListener("pagehide", letGo);
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    asking.clear(); // the browser gave these requests up when the page went into its history
    askAgain.clear();
    seenAgain();
  });
  if (!document.hidden) (asItWas ? seenAgain : hold)();
})();
