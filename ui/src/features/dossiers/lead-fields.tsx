import type { components } from '../../api/generated/alerts.ts';
import { TextArea } from '../../design/forms/text-area.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import type { BoundField } from '../../design/forms/use-form.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { ItemList } from './item-list.tsx';
import { LabelFields } from './label-fields.tsx';

export type Lead = components['schemas']['Lead'];

const BLANK: Lead = {
  icon: 'material-symbols:lightbulb-outline',
  label: { en: '', fr: '' },
  format: 'markdown',
  content: '',
};

/** Draws the tabs that a dossier adds to an alert. */
export function LeadFields({ name, value, error, onChange }: BoundField<readonly Lead[]>) {
  const { t } = useTranslation();
  return (
    <ItemList
      label={t('dossiers.leads')}
      name={name}
      error={error}
      items={value}
      onChange={onChange}
      addLabel={t('dossiers.addLead')}
      removeLabel={t('dossiers.removeLead')}
      blank={BLANK}
    >
      {(lead, change) => (
        <>
          <LabelFields value={lead.label} onChange={(label) => change({ label })} />
          <TextField
            label={t('dossiers.format')}
            hint={t('dossiers.leadFormats')}
            data
            value={lead.format}
            onChange={(format) => change({ format })}
          />
          <TextArea
            label={t('dossiers.content')}
            data
            value={lead.content}
            onChange={(content) => change({ content })}
          />
        </>
      )}
    </ItemList>
  );
}
