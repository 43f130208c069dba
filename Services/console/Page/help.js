// Shows the guides of Screen Time, which are Markdown files. Only the syntax that the guides use is supported.
import { h, say, answer, language } from "/page/tools.js";

export async function help() {
  const name = new URLSearchParams(location.search).get("guide") ?? "README";
  const { text } = await answer(`/guide?${new URLSearchParams({ to: name, language })}`);
  return h("article.guide", { id: "guide" },
    name !== "README" && h("p", {}, h("a", { href: "/help" }, say("all_guides"))), blocks(text.split(/\r?\n/)));
}

// Converts code, bold text and links within a line.
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return h("strong", {}, part.slice(2, -2));
    const [, label, target] = part.match(/^\[([^\]]+)\]\(([^)]+)\)$/) ?? [];
    if (!label) return part;
    const guide = target.match(/^([a-z]+)\.md(?:#.*)?$/)?.[1];
    if (guide) return h("a", { href: `/help?guide=${guide}` }, label.replace(/\.md$/, ""));
    return target.startsWith("https://") ? h("a", { href: target, rel: "noreferrer" }, label) : label;
  });
}

// Converts lines to elements. Each kind of block removes its lines from the front of `rest`.
function blocks(lines) {
  const made = [];
  const rest = [...lines];
  const take = (isPart) => {
    const end = rest.findIndex((line) => !isPart(line));
    return rest.splice(0, end < 0 ? rest.length : end);
  };
  while (rest.length) {
    const line = rest[0];
    const heading = line.match(/^(#{1,4}) (.*)$/);
    if (heading) {
      made.push(h(`h${heading[1].length}`, {}, inline(heading[2])));
      rest.shift();
    } else if (line.startsWith("```")) {
      rest.shift();
      made.push(h("pre", { tabindex: "0" }, take((one) => !one.startsWith("```")).join("\n")));
      rest.shift();
    } else if (line.startsWith("|")) {
      made.push(table(take((one) => one.startsWith("|"))));
    } else if (isItem(line)) {
      const isNumbered = /^\d/.test(line);
      made.push(h(isNumbered ? "ol" : "ul", {}, items(take((one) => isItem(one) || one.startsWith("  ") || !one.trim()))));
    } else if (line.trim()) {
      const first = rest.shift();
      made.push(h("p", {}, inline([first, ...take((one) => one.trim() && !/^(#{1,4} |```|\|)/.test(one) && !isItem(one))].join(" "))));
    } else {
      rest.shift();
    }
  }
  return made;
}

const isItem = (line) => /^(-|\d+\.) /.test(line);

// Converts the lines of a list. Indented lines belong to the item above, for example the rest of its sentence, or a code block.
function items(lines) {
  const found = [];
  for (const line of lines) {
    if (isItem(line)) found.push([line.replace(/^(-|\d+\.) /, "")]);
    else found[found.length - 1].push(line.replace(/^ {2,3}/, ""));
  }
  return found.map((item) => {
    const parts = blocks(item);
    return h("li", {}, parts[0]?.tagName === "P" ? [...parts[0].childNodes, ...parts.slice(1)] : parts);
  });
}

function table(lines) {
  const [head, , ...rows] = lines.map((line) => line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|")));
  return h("div.wide", {}, h("table", {},
    h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, inline(cell))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, inline(cell))))))));
}
