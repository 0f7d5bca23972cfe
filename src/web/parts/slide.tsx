import { addTransitionType, type ReactNode, startTransition, useState, ViewTransition } from "react";

type Way = "forward" | "back";

const enter = { forward: "slide-from-right", back: "slide-from-left", default: "none" };
const exit = { forward: "slide-to-left", back: "slide-to-right", default: "none" };

/** Shows one step at a time; the next one slides in within 400 ms. */
export function Slide({ step, children }: { step: string; children: ReactNode }) {
  return (
    <ViewTransition key={step} enter={enter} exit={exit} default="none">
      <div>{children}</div>
    </ViewTransition>
  );
}

/** The current step and a function to go to another; `steps` are in order. */
export function useSteps<Step extends string>(steps: readonly Step[], first: NoInfer<Step>) {
  const [step, setStep] = useState(first);
  const go = (to: Step) => {
    const way: Way = steps.indexOf(to) < steps.indexOf(step) ? "back" : "forward";
    startTransition(() => {
      addTransitionType(way);
      setStep(to);
    });
  };
  return [step, go] as const;
}
