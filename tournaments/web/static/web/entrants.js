// The entrants desk: who is selected stays so when the list refreshes itself, and the focus stays in its row; where the
// row has left the list, it goes to the one that took its place.
(() => {
  "use strict";
  const desk = () => document.getElementById("entrants-desk");
  const boxes = () => [...desk().querySelectorAll("input[name=entrant]")];
  const rows = () => [...desk().querySelectorAll("tbody tr")];

  const all = () => {
    const label = desk()?.querySelector("[data-select-all]");
    if (!label) return;
    label.hidden = false;
    const box = label.querySelector("input");
    box.checked = boxes().length > 0 && boxes().every((each) => each.checked);
    box.addEventListener("change", () => boxes().forEach((each) => { each.checked = box.checked; }));
  };

  let selected = null;
  let place = -1;
  document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
    if (!desk()?.contains(target)) return;
    selected = boxes().filter((box) => box.checked).map((box) => box.value);
    place = rows().findIndex((row) => row === target || row.contains(document.activeElement));
  });
  // At once, not when the page has settled: a key pressed right away must find the focus in its place.
  document.addEventListener("htmx:afterSwap", () => {
    if (selected === null || !desk()) return;
    for (const box of boxes()) box.checked = box.checked || selected.includes(box.value);
    selected = null;
    all();
    if (place >= 0 && document.activeElement === document.body) {
      rows()[Math.min(place, rows().length - 1)]?.querySelector("th[tabindex]")?.focus({ preventScroll: true });
    }
    place = -1;
  });
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("input[name=entrant]")) return;
    const box = desk().querySelector("[data-select-all] input");
    if (box) box.checked = boxes().every((each) => each.checked);
  });
  all();
})();
