// A new event is played where its organizer is, more often than not: the select box starts with the browser's time zone.
// Without this file it starts with the zone of the site.
(() => {
  "use strict";
  const box = document.querySelector("select[data-propose-zone]");
  if (!box || box.value) return;
  // Some browsers name a zone by its older name.
  const NEWER = {
    "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
    "America/Godthab": "America/Nuuk",
    "America/Indianapolis": "America/Indiana/Indianapolis",
    "America/Louisville": "America/Kentucky/Louisville",
    "Asia/Calcutta": "Asia/Kolkata",
    "Asia/Katmandu": "Asia/Kathmandu",
    "Asia/Rangoon": "Asia/Yangon",
    "Asia/Saigon": "Asia/Ho_Chi_Minh",
    "Atlantic/Faeroe": "Atlantic/Faroe",
    "Europe/Kiev": "Europe/Kyiv",
    "Pacific/Enderbury": "Pacific/Kanton",
    "Pacific/Ponape": "Pacific/Pohnpei",
    "Pacific/Truk": "Pacific/Chuuk",
  };
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = NEWER[here] ?? here;
  if ([...box.options].some((option) => option.value === zone)) box.value = zone;
})();
