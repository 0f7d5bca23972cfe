import type { ReactNode } from "react";
import { sections } from "@/brand/sections";
import { reasons } from "@/brand/reasons";
import { Code, Colors, Key, Notices, Panel, SixDigits } from "./drawings";
import { Section } from "./section";

const { why } = sections;
const { gui, dashboard, customization, security, notifications, commands } = reasons;
/** Cards of other numbers than six fill their rows. */
const isSix = Object.keys(reasons).length === 6;

/** The brand's reasons, each with a small drawing; nothing if it has none. */
export function WhyUs() {
  if (!why) return null;
  const { notice } = notifications ?? {};
  const { code } = commands ?? {};
  return (
    <Section id="why-us" {...why}>
      <ul
        className={`overflow-hidden rounded-3xl border bg-border gap-px ${isSix ? "grid grid-cols-1 sm:grid-cols-2 lg:grid-cols-12" : "flex flex-wrap *:grow *:basis-72"}`}
      >
        {gui && <Card {...gui} className="lg:col-span-5" drawing={<Panel />} />}
        {dashboard && <Card {...dashboard} className="lg:col-span-4" drawing={<Key />} />}
        {customization && <Card {...customization} className="lg:col-span-3" drawing={<Colors />} />}
        {security && <Card {...security} className="lg:col-span-3" drawing={<SixDigits />} />}
        {notifications && (
          <Card {...notifications} className="lg:col-span-4" drawing={notice && <Notices {...notice} />} />
        )}
        {commands && <Card {...commands} className="lg:col-span-5" drawing={code && <Code code={code} />} />}
      </ul>
    </Section>
  );
}

function Card(props: { title: string; text: string; drawing: ReactNode; className: string }) {
  return (
    <li className={`flex flex-col bg-card ${props.className}`}>
      {props.drawing && (
        <div
          aria-hidden="true"
          data-theme="dark"
          data-lit=""
          className="flex h-48 flex-col justify-center overflow-hidden px-7 pt-6"
        >
          {props.drawing}
        </div>
      )}
      <div className="p-7">
        <h3 className="text-lg font-semibold tracking-tight">{props.title}</h3>
        <p className="mt-1.5 text-[0.9375rem] leading-relaxed text-muted-foreground">{props.text}</p>
      </div>
    </li>
  );
}
