// The answer to a form that was refused begins with the refusal: it is brought into sight and gets the focus.
(() => {
  if (!("posted" in document.body.dataset)) return;
  const refusal = document.querySelector("main .notice--bad[role=alert], main .errors, main .errorlist");
  if (!refusal) return;
  const { top, bottom } = refusal.getBoundingClientRect();
  if (top < 0 || bottom > window.innerHeight) refusal.scrollIntoView({ block: "center" });
  refusal.setAttribute("tabindex", "-1");
  refusal.focus({ preventScroll: true });
})();
