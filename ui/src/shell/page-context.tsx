import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';

export interface PageState {
  readonly title: string;
  /** Classification of the object that the page shows; undefined: that of the system's lowest level. */
  readonly classification?: string | undefined;
}

const PageContext = createContext<
  { readonly page: PageState; readonly setPage: (page: PageState) => void } | undefined
>(undefined);

export function PageProvider({ children }: { children: ReactNode }) {
  const [page, setPage] = useState<PageState>({ title: '' });
  const context = useMemo(() => ({ page, setPage }), [page]);
  return <PageContext value={context}>{children}</PageContext>;
}

/** Sets the title and the classification of the page at hand, in the title line and the window. */
export function usePage({ title, classification }: PageState): void {
  const setPage = use(PageContext)?.setPage;
  useEffect(() => {
    document.title = `${title} · Triad`;
    setPage?.({ title, classification });
  }, [title, classification, setPage]);
}

export function usePageState(): PageState {
  return use(PageContext)?.page ?? { title: '' };
}
