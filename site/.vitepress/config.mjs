import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { slug } from "../../scripts/gates/doc-links.mjs";
import { clientPages, titleOf, TOPICS } from "../pages.mjs";

const { homepage, description } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const repository = homepage.replace(/#.*$/u, "");
const link = (file) => ({ text: titleOf(file), link: `/${file.replace(/\.md$/u, "")}` });

export default defineConfig({
  title: "memdir",
  description,
  srcDir: "pages",
  lastUpdated: false,
  // The same anchors as GitHub's, which the gate of links checks.
  markdown: { anchor: { slugify: slug }, toc: { slugify: slug } },
  themeConfig: {
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: repository }],
    nav: [link("install.md"), link("tour.md"), link("clients.md")],
    sidebar: [
      ...TOPICS.map(({ text, files }) => ({ text, items: files.map(link) })),
      { text: "Clients", items: clientPages().map(({ file }) => link(file)) },
    ],
  },
});
