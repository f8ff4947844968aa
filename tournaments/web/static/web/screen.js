// Scrolls what does not fit, without end and without a hand. Who wants less motion gets whole pages in turn.
(() => {
  "use strict";
  const PIXELS_A_SECOND = 40;
  const PAUSE = 5000; // at the top and at the bottom
  const PAGE = 10000; // a page stands so long when motion is reduced
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  let place = 0; // kept here, since the fragment is replaced under us
  let waitUntil = Date.now() + PAUSE;
  let before = null;

  const box = () => document.querySelector("[data-scroll]");
  const room = (element) => element.scrollHeight - element.clientHeight;

  const turn = (element) => {
    const last = place >= room(element) - 1;
    place = last ? 0 : Math.min(place + element.clientHeight * 0.85, room(element));
    waitUntil = Date.now() + PAGE;
  };

  const move = (element, seconds) => {
    if (place >= room(element)) {
      place = 0;
      waitUntil = Date.now() + PAUSE;
      return;
    }
    place = Math.min(place + PIXELS_A_SECOND * seconds, room(element));
    if (place >= room(element)) waitUntil = Date.now() + PAUSE;
  };

  const step = (time) => {
    const element = box();
    const seconds = before === null ? 0 : Math.min((time - before) / 1000, 0.5);
    before = time;
    if (element && room(element) > 0) {
      if (Date.now() >= waitUntil) {
        if (calm.matches) turn(element);
        else move(element, seconds);
      }
      element.scrollTop = place;
    }
    window.requestAnimationFrame(step);
  };
  window.requestAnimationFrame(step);
  document.addEventListener("htmx:afterSwap", () => {
    const element = box();
    if (element) element.scrollTop = place;
  });
})();
