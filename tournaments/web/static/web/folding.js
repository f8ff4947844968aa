// Texts without accents and case, as `common/letters.py` folds them on the server: to find and sort names and cards.
globalThis.folded = (() => {
  "use strict";
  const SPELT = {
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "ı": "i", "ħ": "h", "ŧ": "t",
    "ŋ": "ng", "ɓ": "b", "ɗ": "d", "ƙ": "k", "ƴ": "y", "ə": "e", "ɛ": "e", "ɔ": "o", "’": "'", "‘": "'", "ʼ": "'", "ʻ": "'",
    "‑": "-", "–": "-", "—": "-",
  };
  const letters = new RegExp(`[${Object.keys(SPELT).join("")}]`, "gu");
  return (text) => text.normalize("NFKD").replace(/[\p{Mn}\p{Default_Ignorable_Code_Point}]/gu, "").toLowerCase()
    .replace(letters, (letter) => SPELT[letter]).trim();
})();
