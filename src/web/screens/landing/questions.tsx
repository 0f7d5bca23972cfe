import { ChevronDown } from "lucide-react";
import { questions } from "@/brand/questions";
import { withPrice } from "../../page/currency";
import { Section } from "./section";

/** Answers that open without scripts; `structured-data.ts` gives the same to search engines. */
export function Questions() {
  if (questions.answers.length === 0) return null;
  return (
    <Section id="questions" title={questions.title} lead={questions.lead}>
      <div className="grid items-start gap-x-12 lg:grid-cols-2">
        {questions.answers.map(([question, answer]) => (
          <details key={question} className="group border-b">
            <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-4 py-3 font-medium [&::-webkit-details-marker]:hidden">
              {question}
              <ChevronDown
                aria-hidden="true"
                className="size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-180"
              />
            </summary>
            <p className="pb-5 leading-relaxed text-soft">{withPrice(answer)}</p>
          </details>
        ))}
      </div>
    </Section>
  );
}
