// Keeps open pages true: one stream a browser tells that an event has moved, and each page asks for its fragments
// again. A fragment is an element with an id, data-live="topic topic", hx-get and hx-trigger="live". Where the stream
// is cut, the page asks every 20 seconds instead, and says of when what it shows is. Hidden tabs hold no stream and catch
// up when they are seen again.
(() => {
  "use strict";
  const address = document.body.dataset.liveStream;
  const line = document.getElementById("status-line");
  const JITTER = Number(document.body.dataset.liveJitter ?? 2000);
  const POLL = 20000;
  const TRY_AGAIN = 60000;
  const SILENCE = 40000; // milliseconds: the server sends a beat every 15 seconds

  // ------------------------------------------------------------------ fragments
  const waiting = new Set(); // fragments in which somebody is typing: refreshed when the focus leaves the form

  const changed = (field) => field.matches("input:not([type=file]), textarea") && field.value !== field.defaultValue;
  const typing = (element) => {
    const active = document.activeElement;
    if (!element.contains(active)) return false;
    return active.matches("textarea, select, input:not([type=button], [type=submit])") || [...(active.form ?? [])].some(changed);
  };

  const refresh = (element) => {
    if (typing(element)) waiting.add(element.id);
    else htmx.trigger(element, "live");
  };

  const refreshAbout = (topics) => {
    for (const element of document.querySelectorAll("[data-live]")) {
      const about = element.dataset.live.split(" ");
      if (topics === null || about.some((topic) => topics.includes(topic))) refresh(element);
    }
  };

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
  document.addEventListener("htmx:beforeSwap", ({ detail: { target, requestConfig } }) => {
    opened = [...target.querySelectorAll("details[open][id]")].map((details) => details.id);
    if (!requestConfig.elt.matches("[data-live]")) return;
    typed = [...target.querySelectorAll("input[id], textarea[id]")].filter(changed).map((field) => [field.id, field.value]);
    const active = document.activeElement;
    if (target.contains(active) && !active.id) focused = [active.localName, likeness(active)];
  });
  document.addEventListener("htmx:afterSwap", () => {
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
  let known = Number(document.body.dataset.keptAt) || Date.now(); // until then, what the page shows was true
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
  const lost = () => line && say(line.dataset.lost.replace("{time}", instant(known)), true);
  const back = () => line?.textContent && say(line.dataset.back, false);
  const alive = () => { if (!isLost()) known = Date.now(); };
  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:afterOnLoad", ({ detail: { elt, xhr } }) => {
    if (xhr.status >= 500) return lost();
    if (elt.matches("[data-live]")) known = Date.now();
    back();
  });
  window.addEventListener("offline", lost);
  window.addEventListener("online", () => window.setTimeout(() => document.hidden || refreshAbout(null), Math.random() * JITTER));
  if (document.body.dataset.keptAt) {
    lost(); // a page that offline.js has kept on this device: the network did not give it
    window.addEventListener("load", () => refreshAbout(null));
  }

  if (!address || !window.EventSource) return;

  const name = `arbitre-live${new URL(address, location.href).pathname}`;
  const channel = window.BroadcastChannel ? new BroadcastChannel(name) : null;
  let pending = null; // topics that wait for their jitter; null when none do
  let everything = false;

  const soon = (topics, jitter = JITTER) => {
    if (document.hidden) return;
    if (topics === null) everything = true;
    if (pending) {
      for (const topic of topics ?? []) pending.add(topic);
      return;
    }
    pending = new Set(topics ?? []);
    window.setTimeout(() => {
      refreshAbout(everything ? null : [...pending]);
      pending = null;
      everything = false;
    }, Math.random() * jitter);
  };

  const tellAll = (topics) => {
    channel?.postMessage(topics);
    soon(topics);
  };
  const beat = (topics) => topics?.length === 0 ? alive() : soon(topics); // no topic: nothing has moved
  if (channel) channel.onmessage = (message) => beat(message.data);

  // ------------------------------------------------------------------ the stream, held by one tab
  let source = null;
  let polling = null;
  let again = null;
  let seen = null;
  let release = null;
  let asked = null;
  let silence = null;

  // A network that is gone without a word leaves the stream open for minutes: it is opened anew when no beat comes.
  const listen = () => {
    window.clearTimeout(silence);
    silence = window.setTimeout(() => { close(); open(); tellAll(null); }, SILENCE);
  };

  const stopPolling = () => {
    window.clearInterval(polling);
    polling = null;
  };

  const open = () => {
    const from = new URL(address, location.href);
    if (seen) from.searchParams.set("since", seen);
    source = new EventSource(from);
    source.onopen = () => {
      stopPolling();
      listen();
      if (isLost()) tellAll(null);
    };
    source.addEventListener("beat", () => {
      listen();
      alive();
      channel?.postMessage([]);
    });
    source.addEventListener("revision", (event) => {
      listen();
      seen = event.lastEventId;
      tellAll(JSON.parse(event.data).topics);
    });
    source.onerror = () => {
      polling ??= window.setInterval(() => tellAll(null), POLL);
      if (source?.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
      window.clearTimeout(again);
      again = window.setTimeout(() => { close(); open(); }, TRY_AGAIN);
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
      .catch(() => {}); // given up while waiting: the tab was hidden
  };

  const letGo = () => {
    close();
    asked?.abort();
    release?.();
    asked = release = null;
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return letGo();
    soon(null, 300);
    hold();
  });
  window.addEventListener("pagehide", letGo);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) { soon(null, 300); hold(); }
  });
  if (!document.hidden) hold();
})();
