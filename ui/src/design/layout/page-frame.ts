import { createContext } from 'react';

/** The part of the frame that a page fills. On the gallery, a page draws its own title line. */
export interface PageFrame {
  /** The element of the title line that takes the title and the actions of the page. */
  readonly titleSlot: HTMLElement | null;
  /** Shows the classification of the object that the page is about; undefined: of none. */
  readonly setClassification: (classification: string | undefined) => void;
}

export const PageFrameContext = createContext<PageFrame | undefined>(undefined);
