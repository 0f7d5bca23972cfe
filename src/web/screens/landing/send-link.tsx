import { Check, Send } from "lucide-react";
import { useState } from "react";
import { brand } from "@/brand/brand";
import { sections } from "@/brand/sections";
import { copyText } from "../../parts/clipboard";
import { notify } from "../../page/notices";

/** Sends the page's URL to the visitor's computer: by the phone's share sheet or the clipboard, or by email. */
export function SendLink() {
  const [copied, setCopied] = useState(false);
  async function send() {
    try {
      if ("share" in navigator) await navigator.share({ title: brand.product, url: link() });
      else await copy();
    } catch (error) {
      // the visitor closed the share sheet
      if (!(error instanceof DOMException && error.name === "AbortError")) await copy();
    }
  }
  async function copy() {
    if (!(await copyText(link()))) {
      location.href = mailTo(link());
      return;
    }
    setCopied(true);
    notify("success", "Link copied");
  }
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-2">
      <button
        type="button"
        onClick={() => void send()}
        className="inline-flex min-h-12 items-center gap-2.5 rounded-full border border-veil/18 bg-veil/4 px-5 font-medium hover:bg-veil/10 noscript:hidden [&_svg]:size-4.5"
      >
        {copied ? <Check aria-hidden="true" /> : <Send aria-hidden="true" />}
        <span>{copied ? "Link copied" : sections.get.send}</span>
      </button>
      <a
        href={mailTo()}
        onClick={(event) => void (event.currentTarget.href = mailTo(link()))}
        className="inline-flex min-h-11 items-center text-sm text-link underline underline-offset-4"
      >
        By email
      </a>
    </div>
  );
}

const link = () => `${location.origin}/#get`;

/** Without scripts the URL is unknown here; the subject at least names the product. */
function mailTo(body = "") {
  return `mailto:?subject=${encodeURIComponent(brand.product)}&body=${encodeURIComponent(body)}`;
}
