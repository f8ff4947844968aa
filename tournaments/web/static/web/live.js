// Keeps open pages true: one stream a browser tells that an event has moved, and each page asks for its fragments
// again. A fragment is an element with an id, data-live="topic topic", hx-get and hx-trigger="live". Where the stream
// is cut, the page asks every 20 seconds instead. Hidden tabs hold no stream and catch up when they are seen again.
(() => {
  "use strict";
  const address = document.body.dataset.liveStream;
  const line = document.getElementById("status-line");
  const JITTER = Number(document.body.dataset.liveJitter ?? 2000);
  const POLL = 20000;
  const TRY_AGAIN = 60000;

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
  const say = (text, lost) => {
    if (!line || line.textContent === text) return;
    line.textContent = text;
    line.className = lost ? "connection notice notice--warn" : "sr-only";
  };
  const lost = () => say(line.dataset.lost, true);
  const back = () => line && line.textContent && say(line.dataset.back, false);
  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:afterOnLoad", back);

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
  if (channel) channel.onmessage = (message) => soon(message.data);

  // ------------------------------------------------------------------ the stream, held by one tab
  let source = null;
  let polling = null;
  let again = null;
  let seen = null;
  let release = null;
  let asked = null;

  const stopPolling = () => {
    window.clearInterval(polling);
    polling = null;
  };

  const open = () => {
    const from = new URL(address, location.href);
    if (seen) from.searchParams.set("since", seen);
    source = new EventSource(from);
    source.onopen = stopPolling;
    source.addEventListener("revision", (event) => {
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
