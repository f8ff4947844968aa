// Steps through a replayed game: ← and → anywhere on the page, Home and End inside the replay, and the play button.
(() => {
  "use strict";
  const STEPS = { ArrowLeft: "go-previous", ArrowRight: "go-next", Home: "go-first", End: "go-last" };
  const PACE = 1500; // milliseconds a move is shown
  let timer = 0;

  function step(id) {
    const link = document.getElementById(id);
    if (link) link.click();
    return Boolean(link);
  }

  function show() {
    const button = document.getElementById("go-play");
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
    if (!event.target.closest("#go-play")) {
      if (timer && event.isTrusted && event.target.closest("#replay a")) stop();
      return;
    }
    if (timer) stop(); else play();
  });
  document.addEventListener("htmx:afterSettle", show);
  document.addEventListener("keydown", (event) => {
    const wanted = STEPS[event.key];
    const replay = document.getElementById("replay");
    if (!wanted || !replay || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.matches("input, textarea, select")) return;
    if (!event.key.startsWith("Arrow") && !replay.contains(event.target)) return;
    if (!document.getElementById(wanted)) return;
    event.preventDefault();
    stop();
    step(wanted);
  });
  show();
})();
