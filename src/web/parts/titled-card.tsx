import type { ReactNode } from "react";
import { cn } from "../lib/utils";
import { Card, CardDescription, CardHeader, CardTitle } from "../ui/card";

/** A card with a title. */
export function TitledCard(props: {
  /** The part of the page that a link with this hash leads to. */
  id?: string;
  title: string;
  description?: ReactNode;
  /** The card's name for screen readers, by default the title. */
  label?: string;
  /** Shown next to the title. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const { id, title, description, label = title, aside, className, children } = props;
  const header = (
    <CardHeader>
      <CardTitle>{title}</CardTitle>
      {description && <CardDescription>{description}</CardDescription>}
    </CardHeader>
  );
  return (
    <Card id={id} aria-label={label} className={className}>
      {aside ? (
        <div
          className={cn("flex flex-wrap justify-between gap-4", description ? "items-start" : "items-center")}
        >
          {header}
          {aside}
        </div>
      ) : (
        header
      )}
      {children}
    </Card>
  );
}
