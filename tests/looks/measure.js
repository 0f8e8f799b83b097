// Measures the page in the frame and writes what it found into #out.
function luminance(colour) {
	const [r, g, b] = colour.match(/[\d.]+/g).map((v) => v / 255).map((v) =>
		v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
	const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
	return (high + 0.05) / (low + 0.05);
}

// Where each character of the node's text begins on the screen, line by line.
function lines(node) {
	const doc = node.ownerDocument, walker = doc.createTreeWalker(node, NodeFilter.SHOW_TEXT), range = doc.createRange();
	const rows = [[]];
	for (let text; (text = walker.nextNode());)
		for (let i = 0; i < text.length; i++) {
			if (text.data[i] === "\n") {
				rows.push([]);
				continue;
			}
			range.setStart(text, i);
			range.setEnd(text, i + 1);
			rows.at(-1).push({c: text.data[i], x: range.getBoundingClientRect().left});
		}
	return rows;
}

function measure(frame) {
	const doc = frame.contentDocument, dark = frame.contentWindow.matchMedia("(prefers-color-scheme: dark)").matches;
	const seen = {dark, wide: doc.documentElement.scrollWidth, rows: 0, crooked: 0, contrast: 21, labelled: true};
	const ground = dark ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)"; // what Chromium draws where nothing is said
	for (const map of doc.querySelectorAll(".m")) {
		const rows = lines(map).filter((row) => row.length === 64 && row[2].c === "|");
		seen.labelled = seen.labelled && map.getAttribute("role") === "img" && map.getAttribute("aria-label") !== "";
		seen.rows += rows.length;
		for (const row of rows)
			row.forEach((cell, i) => seen.crooked = Math.max(seen.crooked, Math.abs(cell.x - rows[0][i].x)));
		for (const row of rows)
			seen.wide = Math.max(seen.wide, row.at(-1).x + 1);
	}
	for (const coloured of doc.querySelectorAll("b"))
		seen.contrast = Math.min(seen.contrast, contrast(frame.contentWindow.getComputedStyle(coloured).color, ground));
	return seen;
}

const frame = document.querySelector("iframe");
frame.addEventListener("load", () => document.getElementById("out").textContent = JSON.stringify(measure(frame)));
