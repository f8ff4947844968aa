// Counts clocks in the browser: from data-ends-at, corrected by the difference between our clock and the server's.
// Without this file the time stands as the server wrote it.
(() => {
  "use strict";
  const THRESHOLDS = [10, 5, 1, 0];
  const told = new Map(); // what was announced for an instant of the end, so that a refreshed page does not repeat it
  const { body } = document;
  // A page kept on this device by offline.js knows what was learnt when its clocks were new.
  // A busy site may send a page that is a minute old, with the time at which it sent it.
  const { sentAt } = document.querySelector("[data-kept-seconds]")?.dataset ?? {};
  if (sentAt) body.dataset.clockOffset = sentAt - Date.now();
  let offset = body.dataset.clockOffset === undefined ? null : Number(body.dataset.clockOffset);

  const learn = (clock) => {
    const measured = Date.parse(clock.dataset.serverNow) - Date.now();
    // Transport only makes the server's time look older, so the largest difference is the truest.
    if (!clock.dataset.learnt && !Number.isNaN(measured)) offset = offset === null ? measured : Math.max(offset, measured);
    clock.dataset.learnt = "1";
    const told = body.dataset.clockOffset; // by the live stream, or by a page before
    if (told !== undefined) offset = offset === null ? Number(told) : Math.max(offset, Number(told));
    if (offset !== null) body.dataset.clockOffset = offset;
  };

  const write = (element, text) => {
    if (element && element.textContent !== text) element.textContent = text;
  };

  const announce = (clock, minutesLeft) => {
    const line = clock.querySelector("[data-clock-status]");
    const passed = THRESHOLDS.filter((minutes) => minutesLeft <= minutes);
    const threshold = passed.at(-1);
    const key = clock.dataset.endsAt;
    if (!line) return;
    if (!told.has(key)) told.set(key, threshold); // what had passed when the page came is not news
    if (threshold === undefined || told.get(key) === threshold) return;
    told.set(key, threshold);
    write(line, line.getAttribute(`data-at-${threshold}`) ?? "");
  };

  // A draft: of its picks to come the one that runs now, with the instant of its end.
  const follow = (clock, now) => {
    const steps = JSON.parse(clock.dataset.steps);
    const [endsAt, words] = steps.find(([end]) => Date.parse(end) > now) ?? steps.at(-1);
    clock.dataset.endsAt = endsAt;
    write(clock.querySelector("[data-draft-step]"), words);
    return Math.min(now, Date.parse(endsAt));
  };

  const show = (clock) => {
    learn(clock);
    let now = Date.now() + offset;
    if (clock.dataset.steps) now = follow(clock, now);
    const starts = Date.parse(clock.dataset.startsAt ?? "");
    const waits = starts > now; // it stands at its whole length, and counts from that instant on by itself
    const left = Math.ceil((Date.parse(clock.dataset.endsAt) - (waits ? starts : now)) / 1000);
    const seconds = Math.abs(left);
    write(
      clock.querySelector(".clock__time"),
      `${left < 0 ? "+" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`,
    );
    const note = clock.querySelector("[data-clock-note]");
    if (left < 0 && note) write(note, note.dataset.over);
    else if (starts && !waits && note) write(note, note.dataset.left);
    clock.toggleAttribute("data-over", left < 0);
    announce(clock, left / 60);
  };

  // Times of an event are in its zone, as the server writes them; elsewhere they are in the reader's own zone.
  const zone = body.dataset.zone ? { timeZone: body.dataset.zone } : {};
  const FORMATS = {
    time: { hour: "2-digit", minute: "2-digit" },
    full: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  };
  const localise = (time) => {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.valueOf())) {
      const { lang } = document.documentElement;
      // The order of the pages, not that of the United States: 27 Nov 2026.
      time.textContent = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { ...FORMATS[time.dataset.local], ...zone, hourCycle: "h23" }).format(at);
    }
    time.removeAttribute("data-local");
  };

  const tick = () => {
    document.querySelectorAll("time[data-local]").forEach(localise);
    document.querySelectorAll("[data-clock]").forEach(show);
    window.setTimeout(tick, 1000 - (Date.now() % 1000) + 5);
  };
  tick();
})();
