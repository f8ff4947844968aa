// Draws the arrows of the last move on a board: from each card that acts to what it attacks or aims at. A board says which in
// `data-arrows`, as pairs of places ("A/field/1>B/field/2"). Without scripts, the list of moves says the same in words.
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";

  // The middle of a place, of its zone if the card has left, or of the player's side.
  function middle(board, place) {
    const seat = place.split("/")[0];
    const zone = place.replace(/\/\d+$/, "");
    const found = board.querySelector(`[data-place="${CSS.escape(place)}"]`)
      || board.querySelector(`[data-zone="${CSS.escape(zone)}"]`)
      || board.querySelector(`[data-zone^="${CSS.escape(place)}/"]`)
      || board.querySelector(`[data-seat="${CSS.escape(seat)}"]`);
    if (!found) return null;
    const frame = board.getBoundingClientRect(), box = found.getBoundingClientRect();
    return { x: box.left - frame.left + box.width / 2, y: box.top - frame.top + box.height / 2 };
  }

  function arrow(from, to) {
    const path = document.createElementNS(SVG, "path");
    const angle = Math.atan2(to.y - from.y, to.x - from.x), head = 10;
    const point = (turn) => `${to.x - head * Math.cos(angle + turn)} ${to.y - head * Math.sin(angle + turn)}`;
    path.setAttribute("d", `M${from.x} ${from.y}L${to.x} ${to.y}M${point(0.5)}L${to.x} ${to.y}L${point(-0.5)}`);
    return path;
  }

  function draw(board) {
    board.querySelector(".board__arrows")?.remove();
    const svg = document.createElementNS(SVG, "svg");
    svg.classList.add("board__arrows");
    svg.setAttribute("aria-hidden", "true");
    for (const pair of board.dataset.arrows.split(" ")) {
      const [from, to] = pair.split(">").map((place) => middle(board, place));
      if (from && to) svg.append(arrow(from, to));
    }
    board.append(svg);
  }

  const drawAll = () => document.querySelectorAll(".board[data-arrows]").forEach(draw);
  for (const name of ["board:drawn", "htmx:afterSettle", "toggle"]) document.addEventListener(name, drawAll, true);
  addEventListener("resize", drawAll);
  drawAll();
})();
