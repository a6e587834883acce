import { type ReactElement, useState } from 'react';
import { ApiProblem } from '../api/problem.ts';
import { MultiCombobox } from '../design/forms/choices/multi-combobox.tsx';
import { Form, FormRow } from '../design/forms/form.tsx';
import { TextField } from '../design/forms/text-field.tsx';
import { useForm } from '../design/forms/use-form.ts';
import { showToast } from '../design/overlays/toasts.ts';
import { Columns } from './gallery.tsx';

interface View {
  readonly name: string;
  readonly query: string;
  readonly labels: readonly string[];
}

let submissions = 0;

/** Refuses as the server does: by field, with a fault, or not at all. */
async function save({ name, query }: View): Promise<void> {
  submissions += 1;
  document.documentElement.dataset.submissions = String(submissions);
  await new Promise((resolve) => setTimeout(resolve, 50));
  if (query.includes('(')) throw new ApiProblem('The query has an open bracket.', { status: 400, at: '/query' });
  if (name === 'fault') {
    throw new ApiProblem('The server failed.', { status: 500, errorId: '0f8fad5b-d9cb-469f-a165-70867728950e' });
  }
  showToast(`Saved “${name}”.`);
}

/** A form whose values survive a reload until they are saved or discarded. */
export function DraftSamples(): ReactElement {
  const [saved, setSaved] = useState('');
  const form = useForm({
    initial: { title: 'Beacons', text: '' },
    draft: 'gallery.draft',
    submit: async (values, { stored }) => setSaved(`${stored.title} becomes ${values.title}.`),
  });
  return (
    <Columns>
      <Form form={form} label="Edit the draft" submitLabel="Store">
        <TextField label="Title of the draft" {...form.field('title')} />
        <TextField label="Text of the draft" {...form.field('text')} />
      </Form>
      <p role="status">{saved}</p>
    </Columns>
  );
}

export function FormSamples(): ReactElement {
  const form = useForm<View>({
    initial: { name: 'Phishing', query: 'event.id:(', labels: [] },
    submit: save,
    validate: ({ name }) => ({ name: name === '' ? 'A view needs a name.' : undefined }),
  });
  return (
    <Columns>
      <Form form={form} label="Edit the view" submitLabel="Save" onCancel={() => form.reset()}>
        <FormRow>
          <TextField label="Name of the view" {...form.field('name')} />
          <TextField label="Query of the view" data {...form.field('query')} />
        </FormRow>
        <MultiCombobox label="Labels of the view" options={[]} allowNew optional {...form.field('labels')} />
      </Form>
    </Columns>
  );
}
