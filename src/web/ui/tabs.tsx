import { Tabs as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "../lib/utils";

export function Tabs({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root data-slot="tabs" className={cn("flex flex-col gap-6", className)} {...props} />;
}

export function TabsList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return (
    <Primitive.List
      data-slot="tabs-list"
      className={cn("flex w-full flex-wrap items-stretch border-b", className)}
      {...props}
    />
  );
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      data-slot="tabs-trigger"
      className={cn(
        "-mb-px inline-flex min-h-11 flex-1 items-center justify-center gap-2 rounded-t-md border-b-2 border-transparent px-1 text-[0.8125rem] font-medium whitespace-nowrap text-muted-foreground transition-colors -outline-offset-2 hover:text-foreground data-[state=active]:border-chart-1 data-[state=active]:text-foreground sm:flex-none sm:px-4 sm:text-sm [&>svg]:size-4 data-[state=active]:[&>svg]:text-link",
        className,
      )}
      {...props}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Content
      data-slot="tabs-content"
      className={cn("rounded-md outline-offset-8", className)}
      {...props}
    />
  );
}
