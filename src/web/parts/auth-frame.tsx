import { BadgeCheck, CircleCheck, Infinity as Forever, KeyRound, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { brand } from "@/brand/brand";
import { useKeptFocus } from "../hooks/use-kept-focus";
import { firstLasts, firstLevel } from "../page/offers";
import { isWithout } from "../page/without";
import { Badge } from "../ui/badge";
import { tones } from "../ui/tones";
import { LegalLinks } from "./legal-links";
import { Logo } from "./logo";

/** The layout of the sign-in, registration and logout pages: the task on the left, the product on the right. */
export function AuthFrame({ children }: { children: ReactNode }) {
  useKeptFocus();
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <div className="relative isolate flex flex-col overflow-hidden px-5 py-4 sm:px-10">
        <div className="absolute inset-0 -z-10 bg-[radial-gradient(40rem_24rem_at_50%_-8rem,--alpha(var(--primary)/18%),transparent)] lg:hidden" />
        <header>
          <Logo />
        </header>
        <main className="mx-auto flex w-full max-w-sm flex-1 flex-col pt-8 pb-8 sm:pt-[min(14dvh,7rem)]">
          {children}
        </main>
        <LegalLinks newTab />
      </div>
      <Showcase />
    </div>
  );
}

/** The heading of the task. */
export function AuthHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mb-7 flex flex-col gap-2">
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      {children && <p className="text-sm text-pretty text-muted-foreground">{children}</p>}
    </div>
  );
}

/** Replaces the form once the task is done; the focus goes to its heading. */
export function AuthDone(props: {
  icon?: LucideIcon;
  tone?: keyof typeof tones;
  title: string;
  lead: ReactNode;
  children: ReactNode;
}) {
  const { icon: Icon = CircleCheck, tone = "good" } = props;
  return (
    <div className="flex flex-col gap-5">
      <span className={`grid size-14 place-content-center rounded-full border ${tones[tone]}`}>
        <Icon aria-hidden="true" className="size-7" />
      </span>
      <AuthHeading title={props.title}>{props.lead}</AuthHeading>
      {props.children}
    </div>
  );
}

/** A drawing of a license; decoration, so hidden from screen readers. */
function Showcase() {
  return (
    <aside
      aria-hidden="true"
      className="relative isolate m-3 hidden flex-col justify-between overflow-hidden rounded-2xl border bg-card p-12 lg:flex"
    >
      <div className="absolute inset-0 -z-10 bg-[radial-gradient(45rem_30rem_at_80%_0%,--alpha(var(--primary)/40%),transparent_70%),radial-gradient(36rem_28rem_at_0%_110%,--alpha(var(--glow)/48%),transparent_70%)]" />
      <div className="absolute inset-0 -z-10 mask-radial-from-30% mask-radial-to-80% bg-[linear-gradient(--alpha(var(--veil)/4%)_1px,transparent_1px),linear-gradient(90deg,--alpha(var(--veil)/4%)_1px,transparent_1px)] bg-size-[48px_48px]" />
      <p className="text-sm font-medium text-link">{brand.product}</p>
      <KeyCard />
      <p className="max-w-md text-3xl leading-tight font-semibold tracking-tight text-balance">
        {brand.tagline ?? brand.shortName}
      </p>
    </aside>
  );
}

function KeyCard() {
  return (
    <div className="mx-auto w-full max-w-md -rotate-3 rounded-2xl border border-veil/15 bg-glass p-7 shadow-window backdrop-blur-md">
      <div className="flex items-center justify-between">
        <span className="grid size-11 place-content-center rounded-xl bg-primary text-primary-foreground">
          <KeyRound className="size-5" />
        </span>
        <Badge tone="good">
          <BadgeCheck />
          Active
        </Badge>
      </div>
      <p className="mt-8 font-mono text-lg tracking-wide whitespace-nowrap">
        {brand.keyPrefix}-<span className="text-muted-foreground">••••-••••-••••</span>-7K2M
      </p>
      <p className="mt-3 flex items-center gap-2 text-sm text-muted-foreground">
        {!isWithout("lifetime") && <Forever data-needs="lifetime" className="size-4" />}
        <span>{firstLevel + firstLasts}</span>
      </p>
    </div>
  );
}
