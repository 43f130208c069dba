// The guides of Screen Time, which are Markdown files. Only the forms that the guides use are drawn.
import { h, say, answer, language } from "/page/tools.js";

export async function help() {
  const name = new URLSearchParams(location.search).get("guide") ?? "README";
  const { text } = await answer(`/guide?${new URLSearchParams({ to: name, language })}`);
  return h("article.guide", { id: "guide" },
    name !== "README" && h("p", {}, h("a", { href: "/help" }, say("all_guides"))), blocks(text.split("\n")));
}

// Code, bold text and links within a line.
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

function blocks(lines) {
  const made = [];
  let index = 0;
  const take = (isPart) => {
    const start = index;
    while (index < lines.length && isPart(lines[index])) index += 1;
    return lines.slice(start, index);
  };
  while (index < lines.length) {
    const line = lines[index];
    const heading = line.match(/^(#{1,4}) (.*)$/);
    if (heading) {
      made.push(h(`h${heading[1].length}`, {}, inline(heading[2])));
      index += 1;
    } else if (line.startsWith("```")) {
      index += 1;
      made.push(h("pre", { tabindex: "0" }, take((one) => !one.startsWith("```")).join("\n")));
      index += 1;
    } else if (line.startsWith("|")) {
      made.push(table(take((one) => one.startsWith("|"))));
    } else if (isItem(line)) {
      const isNumbered = /^\d/.test(line);
      made.push(h(isNumbered ? "ol" : "ul", {}, items(take((one) => isItem(one) || one.startsWith("  ")))));
    } else if (line.trim()) {
      made.push(h("p", {}, inline(take((one) => one.trim() && !/^(#{1,4} |```|\|)/.test(one) && !isItem(one)).join(" "))));
    } else {
      index += 1;
    }
  }
  return made;
}

const isItem = (line) => /^(-|\d+\.) /.test(line);

function items(lines) {
  const texts = [];
  for (const line of lines) {
    if (isItem(line)) texts.push(line.replace(/^(-|\d+\.) /, ""));
    else texts[texts.length - 1] += ` ${line.trim()}`;
  }
  return texts.map((text) => h("li", {}, inline(text)));
}

function table(lines) {
  const [head, , ...rows] = lines.map((line) => line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|")));
  return h("div.wide", {}, h("table", {},
    h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, inline(cell))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, inline(cell))))))));
}
