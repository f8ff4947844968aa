// “Select all on this page” for the boxes of a form. Without this script, each is ticked by itself.
(() => {
  "use strict";
  for (const label of document.querySelectorAll("[data-select-all]")) {
    const form = label.closest("form");
    const all = label.querySelector("input");
    const boxes = [...form.querySelectorAll(`input[name=${label.dataset.selectAll}]`)];
    const refresh = () => { all.checked = boxes.every((box) => box.checked); };
    label.hidden = boxes.length < 2;
    all.addEventListener("change", () => boxes.forEach((box) => { box.checked = all.checked; }));
    form.addEventListener("change", ({ target }) => boxes.includes(target) && refresh());
    refresh(); // the browser keeps boxes ticked when it loads a page again
  }
})();
