import { fileFromText, type SiteFile } from "./files";

/** `robots.txt` and `sitemap.xml`, which contain the site's URL. */
export async function crawlerFiles(origin: string, listed: string[]): Promise<[string, SiteFile][]> {
  const robots = `User-agent: *\nDisallow: /api/\nDisallow: /dashboard\nSitemap: ${origin}/sitemap.xml\n`;
  const urls = listed.map((path) => `<url><loc>${Bun.escapeHTML(origin + path)}</loc></url>`).join("");
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`;
  return [
    ["/robots.txt", await fileFromText(robots, "text/plain; charset=utf-8")],
    ["/sitemap.xml", await fileFromText(sitemap, "application/xml; charset=utf-8")],
  ];
}
