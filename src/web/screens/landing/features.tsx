import { Check, Minus } from "lucide-react";
import { features } from "@/brand/features";
import { sections } from "@/brand/sections";
import { Mark } from "../../parts/mark";
import { Section } from "./section";

const { control, competitive } = features;

export function Features() {
  if (!sections.features) return null;
  return (
    <Section id="features" {...sections.features}>
      <div className="flex flex-col gap-6 md:gap-8">
        {control && <Control {...control} />}
        {competitive && <Competitive {...competitive} />}
      </div>
    </Section>
  );
}

const panel = "relative grid grid-cols-1 overflow-hidden rounded-3xl border bg-card";
const halves = "lg:grid-cols-2";
const words = "flex flex-col justify-center gap-4 p-7 md:p-12";

type Control = NonNullable<typeof control>;
type Competitive = NonNullable<typeof competitive>;

function Control({ title, text, points = [], sample }: Control) {
  return (
    <article className={`${panel} ${sample ? halves : ""}`}>
      <div className={words}>
        <h3 className="text-panel font-semibold">{title}</h3>
        <p className="text-soft">{text}</p>
        <ul className="mt-3 flex flex-col gap-2.5">
          {points.map((point) => (
            <li key={point} className="flex gap-3">
              <Check aria-hidden="true" className="mt-1 size-4 shrink-0 text-link" />
              {point}
            </li>
          ))}
        </ul>
      </div>
      {sample && <Conversation {...sample} />}
    </article>
  );
}

/** A command and its answer, as in a conversation. */
function Conversation({ channel, typed, author, answer, took }: NonNullable<Control["sample"]>) {
  return (
    <div aria-hidden="true" data-lit="" className="flex flex-col justify-end gap-5 p-7 pt-0 md:p-12 lg:pl-4">
      <div data-theme="dark" className="rounded-2xl border border-white/8 bg-window p-5 shadow-window md:p-6">
        <p className="border-b pb-4 text-sm text-muted-foreground"># {channel}</p>
        <div className="mt-5 flex gap-4">
          <Avatar>{author.slice(0, 1)}</Avatar>
          <div>
            <p className="font-medium">{author}</p>
            <p className="mt-1 inline-block rounded-lg bg-white/6 px-2.5 py-1 font-mono text-sm text-link">
              {typed}
            </p>
          </div>
        </div>
        <div className="mt-5 flex gap-4">
          <Avatar light>
            <Mark className="size-5" />
          </Avatar>
          <div className="flex flex-1 items-center justify-between gap-4 rounded-lg border-l-2 border-primary bg-primary/10 px-4 py-3 text-sm">
            <span>{answer}</span>
            <span className="whitespace-nowrap text-muted-foreground">{took}</span>
          </div>
        </div>
      </div>
    </div>
  );
}

function Avatar({ children, light }: { children: React.ReactNode; light?: boolean }) {
  return (
    <span
      className={`grid size-10 shrink-0 place-items-center rounded-xl font-semibold ${light ? "bg-primary text-primary-foreground" : "bg-secondary"}`}
    >
      {children}
    </span>
  );
}

function Competitive({ title, text, columns, rows }: Competitive) {
  return (
    <article className={`${panel} ${halves}`}>
      <div className={`${words} lg:order-2`}>
        <h3 className="text-panel font-semibold">{title}</h3>
        <p className="text-soft">{text}</p>
      </div>
      <div data-lit="" className="@container p-4 pt-0 md:p-8 lg:pr-0">
        <table className="w-full text-sm wrap-break-word hyphens-auto md:text-base @max-2xs:wrap-anywhere">
          <thead>
            <tr className="text-left text-sm">
              <th scope="col">
                <span className="sr-only">Feature</span>
              </th>
              {columns.map((column, index) => (
                <th
                  key={column}
                  scope="col"
                  className={index === 1 ? `${best} rounded-t-xl text-link` : `${cell} text-muted-foreground`}
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...values], row) => (
              <tr key={name} className="border-t">
                <th scope="row" className="py-3 pr-2 pl-3 text-left font-normal text-soft">
                  {name}
                </th>
                {values.map((value, index) => (
                  <td
                    key={columns[index]}
                    className={
                      index === 1
                        ? `${best} font-medium ${row === rows.length - 1 ? "rounded-b-xl" : ""}`
                        : `${cell} text-muted-foreground`
                    }
                  >
                    <Value value={value} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </article>
  );
}

const cell = "p-2 py-3 sm:p-3";
const best = `bg-primary/10 ${cell}`;

function Value({ value }: { value: string | boolean }) {
  if (typeof value === "string") return value;
  const Icon = value ? Check : Minus;
  return (
    <>
      <Icon aria-hidden="true" className={`size-4 ${value ? "text-link" : ""}`} />
      <span className="sr-only">{value ? "Included" : "Not included"}</span>
    </>
  );
}
