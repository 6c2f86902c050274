// Scores of classes as bars.

/** A list of the classes given, in their order; the best is marked. */
export function showBars(list, scores) {
  const best = Math.max(...scores.map(({ score }) => score));
  list.replaceChildren(
    ...scores.map(({ label, score }) => {
      const row = document.createElement("li");
      row.classList.toggle("best", score === best && best > 0);
      const [name, rail, bar, share] = ["name", "rail", "bar", "share"].map((kind) => {
        const part = document.createElement("span");
        part.className = kind;
        return part;
      });
      [name.textContent, name.title] = [label, label];
      bar.style.width = `${(100 * score).toFixed(1)}%`;
      share.textContent = best > 0 ? `${(100 * score).toFixed(1)}%` : "";
      rail.append(bar);
      row.append(name, rail, share);
      return row;
    }),
  );
}
