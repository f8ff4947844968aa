// Players whom this browser follows, by event: a star on the page of each, and their tables first among the pairings.
// Who they are is kept in this browser alone; the server is asked for their tables, and keeps nothing.
(() => {
  "use strict";
  const MOST = 50; // as many as the server shows
  const keyOf = (event) => `arbitre-followed ${event}`;

  const read = (event) => {
    try {
      const found = JSON.parse(localStorage.getItem(keyOf(event)));
      return Array.isArray(found) ? found.filter((id) => typeof id === "string").slice(-MOST) : [];
    } catch {
      return []; // a browser that keeps nothing, or what somebody else wrote there
    }
  };
  const write = (event, ids) => {
    try {
      if (ids.length) localStorage.setItem(keyOf(event), JSON.stringify(ids.slice(-MOST)));
      else localStorage.removeItem(keyOf(event));
    } catch {} // the star stays as it was
  };

  // ------------------------------------------------------------------ the star
  for (const star of document.querySelectorAll("[data-follow]")) {
    const { follow: id, event, stop } = star.dataset;
    const start = star.textContent;
    const draw = () => {
      const on = read(event).includes(id);
      star.textContent = on ? stop : start;
      star.toggleAttribute("data-on", on);
    };
    star.addEventListener("click", () => {
      const others = read(event).filter((other) => other !== id);
      write(event, star.hasAttribute("data-on") ? others : [...others, id]);
      draw();
    });
    window.addEventListener("storage", draw); // another tab
    draw();
    star.hidden = false;
  }

  // ------------------------------------------------------------------ their tables
  const place = document.querySelector("[data-followed]");
  const ids = place ? read(place.dataset.event) : [];
  if (ids.length) {
    const query = new URLSearchParams(ids.map((id) => ["who", id]));
    htmx.ajax("GET", `${place.dataset.followed}?${query}`, { target: place, swap: "outerHTML" });
  }
})();
