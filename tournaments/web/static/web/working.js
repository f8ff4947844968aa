// While the answer to a form is on its way, the button that was pressed says so. A quick answer comes before that.
(() => {
  "use strict";
  const MOMENT = 700; // milliseconds
  const line = document.getElementById("status-line");
  let button = null;
  const stop = () => {
    button?.removeAttribute("aria-busy");
    button = null;
  };
  document.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    if (target.method !== "post") return;
    window.setTimeout(() => {
      if (event.defaultPrevented) return; // a script sends it, and says so itself
      stop();
      button = submitter ?? target.querySelector("button:not([type=button])");
      button?.setAttribute("aria-busy", "true");
      if (line && !line.className.startsWith("connection")) line.textContent = line.dataset.working;
    }, MOMENT);
  });
  window.addEventListener("pageshow", stop); // also when the page comes back from the browser's history
})();
