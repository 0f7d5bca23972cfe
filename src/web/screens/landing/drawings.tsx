import { Bell, ShieldCheck } from "lucide-react";
import { brand } from "@/brand/brand";
import { firstTerm } from "../../page/offers";

/** Small drawings of the application's parts, hidden from screen readers. */

export function Panel() {
  return (
    <div className="flex h-32 gap-4 rounded-xl border border-white/8 bg-background p-4">
      <div className="flex w-1/4 flex-col gap-2.5 border-r border-white/8 pr-4">
        <i className="h-5 rounded-md bg-primary/35" />
        <i className="h-2 w-4/5 rounded-full bg-white/12" />
        <i className="h-2 w-3/5 rounded-full bg-white/12" />
        <i className="h-2 w-4/5 rounded-full bg-white/12" />
      </div>
      <div className="flex flex-1 flex-col justify-between py-1">
        {["w-2/5", "w-3/5", "w-1/3"].map((width, row) => (
          <div key={width} className="flex items-center justify-between">
            <i className={`h-2 rounded-full bg-white/20 ${width}`} />
            <Switch on={row !== 1} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Switch({ on }: { on: boolean }) {
  return (
    <i className={`flex h-5 w-9 rounded-full p-1 ${on ? "justify-end bg-primary" : "bg-white/15"}`}>
      <i className={`size-3 rounded-full ${on ? "bg-background" : "bg-white/70"}`} />
    </i>
  );
}

export function Key() {
  return (
    <div className="rounded-xl border border-white/8 bg-background p-4">
      <div className="flex items-center justify-between text-xs">
        <span className="flex items-center gap-2 rounded-full bg-success/12 px-2.5 py-1 text-success">
          <i className="size-1.5 rounded-full bg-success" />
          Active
        </span>
        <span className="text-muted-foreground">{firstTerm}</span>
      </div>
      <p className="mt-4 font-mono text-sm whitespace-nowrap">
        {brand.keyPrefix}-<span className="text-white/35">••••-••••-••••</span>-7K2M
      </p>
    </div>
  );
}

export function Colors() {
  return (
    <div className="flex -space-x-3">
      {["bg-sample-teal", "bg-primary ring-2 ring-white", "bg-sample-orange", "bg-sample-pink"].map(
        (color, index) => (
          <i
            key={color}
            className={`size-14 rounded-full ${color} ${index === 1 ? "z-1 scale-115" : "opacity-90"}`}
          />
        ),
      )}
    </div>
  );
}

export function SixDigits() {
  return (
    <div className="flex gap-1.5">
      {["4", "1", "9", "0", "", ""].map((digit, index) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- a static drawing
          key={index}
          className={`grid h-12 flex-1 place-items-center rounded-lg border bg-background text-lg font-medium ${index === 4 ? "border-ring" : "border-white/12"}`}
        >
          {digit}
        </span>
      ))}
    </div>
  );
}

export function Notices({ title, text }: { title: string; text: string }) {
  return (
    <div className="relative h-32 text-sm">
      <div className="absolute inset-x-6 top-0 h-14 rounded-xl border border-white/8 bg-background/60" />
      <div className="absolute inset-x-3 top-5 h-14 rounded-xl border border-white/8 bg-background/80" />
      <div className="absolute inset-x-0 top-11 flex items-center gap-3 rounded-xl border border-white/10 bg-background p-3.5 shadow-window">
        <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-primary/20 text-link">
          <Bell className="size-4" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-medium">{title}</span>
          <span className="block truncate text-muted-foreground">{text}</span>
        </span>
        <ShieldCheck className="size-4 shrink-0 text-success" />
      </div>
    </div>
  );
}

/** A few lines of code: the first word of each, times and quoted texts are coloured. */
export function Code({ code }: { code: string }) {
  return (
    <pre className="overflow-hidden rounded-xl border border-white/8 bg-background p-4 font-mono text-[0.8125rem] leading-6">
      {code.split(/(^ *\S+|"[^"]*"|\b\d\S*)/m).map((part, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a static drawing
        <span key={at} className={at % 2 === 0 ? undefined : colourOf(part)}>
          {part}
        </span>
      ))}
    </pre>
  );
}

function colourOf(part: string): string {
  if (part.startsWith('"')) return "text-success";
  return /^\d/.test(part) ? "text-sample-amber" : "text-link";
}
