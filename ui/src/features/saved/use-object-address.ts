import { useNavigate, useSearch } from '@tanstack/react-router';

/** Pages of saved objects. */
export type ObjectPath = '/views' | '/templates' | '/overviews' | '/dossiers' | '/actions';

export interface ObjectAddress {
  readonly path: ObjectPath;
  /** The open object; undefined: the list. */
  readonly id: string | undefined;
  /** The words that narrow the list. */
  readonly words: string;
  /** Opens an object, or the list, which keeps its words. */
  readonly open: (id: string | undefined) => void;
  readonly search: (words: string) => void;
}

/** Returns the state of a page of saved objects from its address, and what changes it. */
export function useObjectAddress(path: ObjectPath): ObjectAddress {
  const { id, q = '' } = useSearch({ from: path });
  const navigate = useNavigate({ from: path });
  return {
    path,
    id,
    words: q,
    open: (next) => void navigate({ to: path, search: { id: next, q: q === '' ? undefined : q } }),
    search: (words) => void navigate({ to: path, search: { q: words === '' ? undefined : words }, replace: true }),
  };
}
