import type { LucideIcon } from "lucide-react";
import { addTransitionType, type ReactNode, startTransition } from "react";
import { useLocation, useNavigate } from "react-router";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../ui/tabs";
import { Slide } from "./slide";

export type HashTab = { id: string; name: string; icon: LucideIcon; content: ReactNode };

/** A page's tabs. The URL's hash names the shown one; any other hash shows the first. */
export function HashTabs({ label, tabs }: { label: string; tabs: readonly [HashTab, ...HashTab[]] }) {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const shown = tabs.find(({ id }) => `#${id}` === hash.toLowerCase()) ?? tabs[0];
  const go = (to: string) => {
    const place = tabs.findIndex(({ id }) => id === to);
    startTransition(() => {
      addTransitionType(place < tabs.indexOf(shown) ? "back" : "forward");
      void navigate({ search, hash: to }, { replace: true, preventScrollReset: true });
    });
  };
  return (
    <Tabs value={shown.id} onValueChange={go}>
      <TabsList aria-label={label}>
        {tabs.map(({ id, name, icon: Icon }) => (
          <TabsTrigger key={id} value={id}>
            <Icon aria-hidden="true" className="hidden md:block" />
            <span>{name}</span>
          </TabsTrigger>
        ))}
      </TabsList>
      <Slide step={shown.id}>
        <TabsContent value={shown.id} className="flex flex-col gap-6">
          {shown.content}
        </TabsContent>
      </Slide>
    </Tabs>
  );
}
