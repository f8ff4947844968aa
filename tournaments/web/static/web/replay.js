// Steps through a replayed game: ← and → anywhere on the page, Home and End inside the replay, the slider, and the play
// button. The first step requests one board, and at the same time the boards of the whole game. Once these have arrived,
// stepping needs no more requests. Very long games are stepped through by links alone.
(() => {
  "use strict";
  const STEPS = { ArrowLeft: "go-previous", ArrowRight: "go-next", Home: "go-first", End: "go-last" };
  const PACE = 1500; // milliseconds a move is shown
  const SETTLED = 150; // milliseconds after the last step until the page is made ready for links of htmx
  let timer = 0;
  let boards = null; // the fragment of each move, once the whole game has arrived
  let asked = ""; // the address that it was requested from
  let wanted = null; // the move to show next, while its board is being requested
  let settling = 0;

  const replay = () => document.getElementById("replay");
  const number = (name) => Number(replay().dataset[name]);
  const address = (n) => replay().dataset.step.replace(/\d+\/$/, `${n}/`);

  // The move that a link or a key leads to, counted from the one to be shown next.
  function target(id) {
    const from = wanted ?? number("n");
    const to = { "go-previous": from - 1, "go-next": from + 1, "go-first": 0, "go-last": number("last") }[id];
    return to >= 0 && to <= number("last") && to !== from ? to : null;
  }

  async function ask() {
    const from = replay().dataset.steps;
    if (!from || asked === from) return;
    asked = from;
    try {
      const answer = await fetch(from, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      boards = (await answer.json()).steps;
    } catch { // no network: the next step asks again
      asked = "";
      return;
    }
    if (wanted !== null) draw(wanted, boards[wanted]);
  }

  // Turns a node of the page into that of the next board. What is equal in both stays, because the browser needs more than
  // a frame for the layout of a whole board. Fields and the links of htmx remember how they were made: they are replaced.
  function turnInto(node, next) {
    if (node.nodeName !== next.nodeName || node.nodeType !== Node.ELEMENT_NODE || node.matches("[hx-get], input")) {
      node.replaceWith(next);
      return;
    }
    for (const { name } of [...node.attributes]) if (!next.hasAttribute(name)) node.removeAttribute(name);
    for (const { name, value } of next.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
    let child = node.firstChild;
    for (const wanted of [...next.childNodes]) {
      const later = child?.nextElementSibling;
      const equal = [child, later].find((one) => one?.isEqualNode(wanted));
      if (equal) { // if it is the later one, what was before it has gone
        while (child !== equal) child = removed(child);
        child = child.nextSibling;
      } else if (!child || wanted.nextElementSibling?.isEqualNode(child)) { // it is new
        node.insertBefore(wanted, child);
      } else {
        const after = child.nextSibling;
        turnInto(child, wanted);
        child = after;
      }
    }
    while (child) child = removed(child);
  }

  function removed(node) {
    const after = node.nextSibling;
    node.remove();
    return after;
  }

  function draw(n, board) {
    const shown = replay(), next = document.createElement("template");
    if (!shown || !board) return;
    next.innerHTML = board;
    const focused = document.activeElement?.id;
    const open = [...shown.querySelectorAll("details[open][id]")].map((part) => part.id);
    for (const part of shown.querySelectorAll(":scope > [data-part]")) {
      turnInto(part, next.content.querySelector(`[data-part="${part.dataset.part}"]`));
    }
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
    shown.dataset.step = address(n);
    shown.dataset.n = n;
    wanted = null;
    document.dispatchEvent(new Event("board:drawn"));
    clearTimeout(settling);
    settling = setTimeout(() => {
      history.replaceState(history.state, "", address(replay().dataset.n));
      window.htmx.process(replay());
    }, SETTLED);
    show();
  }

  function go(n) {
    if (boards) { draw(n, boards[n]); return; }
    const asking = wanted !== null;
    wanted = n;
    ask();
    if (!asking) askForOne();
  }

  async function askForOne() {
    while (wanted !== null) { // more keys may be pressed during the request
      const n = wanted;
      const answer = await fetch(address(n), { headers: { "HX-Request": "true" } }).catch(() => null);
      if (!answer) { // no network: live.js shows that
        wanted = null;
        document.dispatchEvent(new Event("htmx:sendError"));
        return;
      }
      if (!answer.ok || answer.redirected) { // signed out, for example: the page explains it
        location.assign(address(n));
        return;
      }
      const board = await answer.text();
      if (boards) return; // the whole game arrived first
      if (n === wanted) draw(n, board);
    }
  }

  function step(id) {
    if (!replay()?.dataset.steps) {
      const link = document.getElementById(id);
      link?.click();
      return Boolean(link);
    }
    const to = target(id);
    if (to !== null) go(to);
    return to !== null;
  }

  function show() {
    const slider = document.getElementById("go-slider"), button = document.getElementById("go-play");
    if (slider) {
      slider.hidden = false;
      slider.value = replay().dataset.n;
    }
    if (!button) return;
    button.hidden = !document.getElementById("go-next");
    button.textContent = timer ? button.dataset.pause : button.dataset.play;
    button.setAttribute("aria-pressed", String(Boolean(timer)));
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    show();
  }

  function play() {
    timer = setInterval(() => { if (!step("go-next")) stop(); }, PACE);
    step("go-next");
    show();
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("#go-play")) {
      if (timer) stop(); else play();
      return;
    }
    if (timer && event.isTrusted && event.target.closest("#replay a")) stop();
  });
  // Runs before htmx: links are handled like keys, so that a late answer never undoes a later step.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#replay a[data-to]");
    if (!link || !replay().dataset.steps) return;
    if (event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (timer) stop();
    go(Number(link.dataset.to));
  }, true);
  document.addEventListener("input", (event) => {
    if (event.target.id !== "go-slider") return;
    if (timer) stop();
    if (boards) go(Number(event.target.value)); else ask();
  });
  document.addEventListener("change", (event) => {
    if (event.target.id === "go-slider" && !boards) go(Number(event.target.value));
  });
  document.addEventListener("htmx:afterSettle", show);
  document.addEventListener("keydown", (event) => {
    const wantedStep = STEPS[event.key];
    if (!wantedStep || !replay() || document.querySelector("dialog[open]") || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.matches("input, textarea, select")) return;
    if (!event.key.startsWith("Arrow") && !replay().contains(event.target)) return;
    if (!replay().dataset.steps && !document.getElementById(wantedStep)) return;
    event.preventDefault();
    if (timer) stop();
    step(wantedStep);
  });
  show();
})();
