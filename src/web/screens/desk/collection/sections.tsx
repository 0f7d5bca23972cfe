import { type ComponentType, useEffect, useRef } from "react";
import { Navigate, NavLink, Route, Routes, useLocation } from "react-router";
import { cn } from "../../../lib/utils";
import { UnknownDeskPage } from "../parts/unknown-desk-page";

/** A section of a desk page, such as the codes of Products. */
export type Section = {
  name: string;
  path: string;
  screen: ComponentType;
  /** Whether a group of sections begins with it. */
  begins?: true;
};

/** A desk page of several sections: its heading, the way to each section, and the one in the address. */
export function Sections({
  title,
  base,
  sections,
}: {
  title: string;
  base: string;
  sections: readonly Section[];
}) {
  const [first] = sections;
  const ways = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    // on a phone, not all sections fit
    ways.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the address says which is shown
  }, [pathname]);
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <nav ref={ways} aria-label={title} className="-mx-1 flex gap-1 overflow-x-auto border-b px-1">
        {sections.map(({ name, path, begins }) => (
          <NavLink
            key={path}
            to={`${base}/${path}`}
            className={({ isActive }) =>
              cn(
                "flex min-h-11 items-center border-b-2 px-3 text-sm whitespace-nowrap md:min-h-10",
                begins && "ml-5",
                isActive
                  ? "border-ring font-medium text-foreground"
                  : "border-transparent text-muted-foreground hover:text-foreground",
              )
            }
          >
            {name}
          </NavLink>
        ))}
      </nav>
      <Routes>
        {first && <Route index element={<Navigate to={first.path} replace />} />}
        {sections.map(({ path, screen: Screen }) => (
          <Route key={path} path={`${path}/*`} element={<Screen />} />
        ))}
        <Route path="*" element={<UnknownDeskPage />} />
      </Routes>
    </>
  );
}
