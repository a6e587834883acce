import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Markdown } from '../design/data/records/markdown.tsx';
import { Overview } from '../design/data/records/overview.tsx';
import { TextArea } from '../design/forms/text-area.tsx';
import { fragmentOf } from '../design/markup/sanitizer.ts';
import { Sample, Stack } from './gallery.tsx';

/**
 * Draws strings as markdown, as the value of a template, as a template and as HTML: tests type hostile
 * ones.
 */
export function MarkupSamples(): ReactElement {
  const [text, setText] = useState('**text** <b>no HTML</b>');
  const [html, setHtml] = useState('<b>bold</b>');
  const [template, setTemplate] = useState('{{v}} `{{v}}` {{{v}}} [page](/alerts/{{v}})');
  const drawn = useRef<HTMLDivElement>(null);
  // Effects of the samples come before: what was typed is in the page, or was taken out of it.
  useEffect(() => {
    if (drawn.current !== null) drawn.current.dataset.drawn = JSON.stringify([text, html]);
  });
  return (
    <>
      <Sample title="Input">
        <Stack>
          <TextArea label="Text" value={text} onChange={setText} />
          <TextArea label="Elements" value={html} onChange={setHtml} />
          <TextArea label="Template" value={template} onChange={setTemplate} />
        </Stack>
      </Sample>
      <div ref={drawn} data-testid="markup">
        <Sample title="Markdown">
          <Markdown text={text} />
        </Sample>
        <Sample title="Value of a template">
          <Overview
            template={template}
            record={{ v: text, list: Array.from({ length: 2_000 }, (_, index) => index) }}
          />
        </Sample>
        <Sample title="Template">
          <Overview template={text} record={{ v: text }} />
        </Sample>
        <Sample title="HTML">
          <Sanitized html={html} />
        </Sample>
      </div>
    </>
  );
}

/** The interface gives the sanitizer what its own markdown wrote; here it gets anything. */
function Sanitized({ html }: { readonly html: string }): ReactElement {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    element.current?.replaceChildren(fragmentOf(html));
  }, [html]);
  return <div ref={element} />;
}
