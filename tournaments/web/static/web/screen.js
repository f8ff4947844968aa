// Turns the pages of a list that does not fit, whole pages at a time and without a hand; a board scrolls instead. It
// needs no network: what stands on the screen goes on turning.
(() => {
  "use strict";
  const CYCLE = 55000; // milliseconds in which the whole list has been shown, where its pages may be that short
  const SHORTEST = 5000; // a page stands at least so long
  const LONGEST = 10000;
  const PIXELS_A_SECOND = 40;
  const PAUSE = 5000; // at the top and at the bottom of what scrolls
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

  // ------------------------------------------------------------------ pages
  let page = 0; // kept here, since the fragment is replaced under us
  let turnedAt = Date.now();

  const write = (element, text) => {
    if (element && element.textContent !== text) element.textContent = text;
  };

  const lettersOf = (box) => {
    const edges = box.getBoundingClientRect();
    const seen = [...box.querySelectorAll("[data-letter]")].filter((line) => {
      const { left, right } = line.getBoundingClientRect();
      return left >= edges.left - 1 && right <= edges.right + 1;
    });
    const [first, last] = [seen[0], seen.at(-1)].map((line) => line?.dataset.letter ?? "");
    return first === last ? first : `${first} – ${last}`;
  };

  const turn = (box) => {
    const list = box.firstElementChild;
    const step = box.clientWidth + (parseFloat(getComputedStyle(list).columnGap) || 0);
    const pages = Math.max(1, Math.ceil((list.scrollWidth - 1) / step));
    const stands = Math.min(LONGEST, Math.max(SHORTEST, CYCLE / pages));
    if (Date.now() - turnedAt >= stands) {
      page += 1;
      turnedAt = Date.now();
    }
    page %= pages;
    // Moved and not scrolled: the last page begins where it should, also where it is not full.
    const moved = `translateX(${-page * step}px)`;
    if (list.style.transform !== moved) list.style.transform = moved;
    const words = document.querySelector("[data-page-words]");
    write(words, words?.dataset.pageWords.replace("{page}", page + 1).replace("{pages}", pages));
    write(document.querySelector("[data-letters]"), lettersOf(box));
  };

  // ------------------------------------------------------------------ what scrolls: the board of a feature match
  let place = 0;
  let waitUntil = Date.now() + PAUSE;
  let before = null;
  const room = (element) => element.scrollHeight - element.clientHeight;

  const leap = (element) => {
    const last = place >= room(element) - 1;
    place = last ? 0 : Math.min(place + element.clientHeight * 0.85, room(element));
    waitUntil = Date.now() + LONGEST;
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

  const scroll = (element, seconds) => {
    if (room(element) <= 0) return;
    if (Date.now() >= waitUntil) {
      if (calm.matches) leap(element);
      else move(element, seconds);
    }
    element.scrollTop = place;
  };

  // ------------------------------------------------------------------
  const show = (seconds) => {
    const box = document.querySelector("[data-pages]");
    if (box) turn(box);
    const board = document.querySelector("[data-scroll]");
    if (board) scroll(board, seconds);
  };
  const step = (time) => {
    const seconds = before === null ? 0 : Math.min((time - before) / 1000, 0.5);
    before = time;
    show(seconds);
    window.requestAnimationFrame(step);
  };
  window.requestAnimationFrame(step);
  document.addEventListener("htmx:afterSwap", () => show(0));
})();
