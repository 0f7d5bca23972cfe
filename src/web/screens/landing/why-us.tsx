import type { ReactNode } from "react";
import { landing } from "@/brand/landing";
import { reasons } from "@/brand/reasons";
import { Code, Colors, Key, Notices, Panel, SixDigits } from "./drawings";
import { Section } from "./section";

/** Six reasons, each with a small drawing. */
export function WhyUs() {
  return (
    <Section id="why-us" {...landing.why}>
      <ul className="grid gap-px overflow-hidden rounded-3xl border bg-border sm:grid-cols-2 lg:grid-cols-12">
        <Card {...reasons.gui} className="lg:col-span-5" drawing={<Panel />} />
        <Card {...reasons.dashboard} className="lg:col-span-4" drawing={<Key />} />
        <Card {...reasons.customization} className="lg:col-span-3" drawing={<Colors />} />
        <Card {...reasons.security} className="lg:col-span-3" drawing={<SixDigits />} />
        <Card {...reasons.notifications} className="lg:col-span-4" drawing={<Notices />} />
        <Card {...reasons.commands} className="lg:col-span-5" drawing={<Code />} />
      </ul>
    </Section>
  );
}

function Card(props: { title: string; text: string; drawing: ReactNode; className: string }) {
  return (
    <li className={`flex flex-col bg-card ${props.className}`}>
      <div
        aria-hidden="true"
        data-theme="dark"
        data-lit=""
        className="flex h-48 flex-col justify-center overflow-hidden px-7 pt-6"
      >
        {props.drawing}
      </div>
      <div className="p-7">
        <h3 className="text-lg font-semibold tracking-tight">{props.title}</h3>
        <p className="mt-1.5 text-[0.9375rem] leading-relaxed text-muted-foreground">{props.text}</p>
      </div>
    </li>
  );
}
