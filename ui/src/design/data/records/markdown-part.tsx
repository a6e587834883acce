import { memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { markdownHtml } from '../../markup/markdown-html.ts';
import { fragmentOf } from '../../markup/sanitizer.ts';
import type { Piece, Widget } from '../../markup/template/pieces.ts';

export interface MarkdownPartProps {
  readonly text: string;
  readonly pieces: readonly Piece[] | undefined;
  readonly renderWidget: ((widget: Widget) => ReactNode) | undefined;
}

/** Draws one part of a markdown text, sanitized. */
export const MarkdownPart = memo(function MarkdownPart({ text, pieces, renderWidget }: MarkdownPartProps) {
  const element = useRef<HTMLDivElement>(null);
  const [places, setPlaces] = useState<readonly { readonly element: Element; readonly widget: Widget }[]>([]);
  useLayoutEffect(() => {
    const html = markdownHtml(text, { origin: window.location.origin, ...(pieces ? { pieces } : {}) });
    const fragment = fragmentOf(html);
    const found = [...fragment.querySelectorAll('[data-widget]')].flatMap((place) => {
      const piece = pieces?.[Number(place.getAttribute('data-widget'))];
      return piece?.kind === 'widget' ? [{ element: place, widget: piece.widget }] : [];
    });
    element.current?.replaceChildren(fragment);
    setPlaces(found);
  }, [text, pieces]);
  return (
    <>
      <div ref={element} />
      {renderWidget && places.map(({ element: place, widget }) => createPortal(renderWidget(widget), place))}
    </>
  );
});
