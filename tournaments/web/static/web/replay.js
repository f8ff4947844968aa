// Steps through a replayed game by keyboard: ← and → anywhere on the page, Home and End inside the replay.
(() => {
  "use strict";
  const STEPS = { ArrowLeft: "go-previous", ArrowRight: "go-next", Home: "go-first", End: "go-last" };
  document.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const replay = document.getElementById("replay");
    if (!step || !replay || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.matches("input, textarea, select")) return;
    if (!event.key.startsWith("Arrow") && !replay.contains(event.target)) return;
    const link = document.getElementById(step);
    if (!link) return;
    event.preventDefault();
    link.click();
  });
})();
