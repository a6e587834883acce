import type { Translate } from '../../i18n/translation.ts';
import type { RailEntry } from '../rail-entries.ts';

/** A part of a page with an address of its own. */
export interface PageLink {
  readonly name: (t: Translate) => string;
  readonly href: string;
}

/** The parts of a page of the rail that the palette leads to. */
export interface PageLinks {
  /** The page around them, by its name in the rail. */
  readonly page: RailEntry['name'];
  readonly links: readonly PageLink[];
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** For the palette: tabs and sections that people look for by their name. */
    readonly pageLinks?: PageLinks;
  }
}
