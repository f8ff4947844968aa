// Buttons that copy what stands in a field. Without scripts they stay hidden, and the field can be selected by hand.
(() => {
  "use strict";
  for (const button of document.querySelectorAll("button[data-copy]")) {
    const field = document.getElementById(button.dataset.copy);
    if (!field || !navigator.clipboard) continue;
    button.hidden = false;
    const words = button.textContent;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(field.value);
        button.textContent = button.dataset.copied;
        window.setTimeout(() => { button.textContent = words; }, 3000);
      } catch {
        field.focus();
        field.select();
      }
    });
  }
})();
