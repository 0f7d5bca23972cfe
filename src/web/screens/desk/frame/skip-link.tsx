const target = "content";

/** A link to the page's content for those who go by Tab, and the id of that content. */
export function useSkipLink() {
  const link = (
    <a
      href={`#${target}`}
      className="fixed top-2 left-2 z-50 -translate-y-24 rounded-md bg-primary px-4 py-3 text-sm font-medium text-primary-foreground focus:translate-y-0"
      onClick={(event) => {
        // a hash would be taken for a part of the page
        event.preventDefault();
        document.getElementById(target)?.focus();
      }}
    >
      Skip to content
    </a>
  );
  return { link, target };
}
