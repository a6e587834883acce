import { FormRow } from '../../design/forms/form.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import { useTranslation } from '../../i18n/translation.ts';

interface Label {
  readonly en: string;
  readonly fr: string;
}

interface Props {
  readonly value: Label;
  readonly onChange: (label: Label) => void;
}

/** Draws the names of a lead or pivot in both languages. */
export function LabelFields({ value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <FormRow>
      <TextField label={t('dossiers.english')} value={value.en} onChange={(en) => onChange({ ...value, en })} />
      <TextField label={t('dossiers.french')} value={value.fr} onChange={(fr) => onChange({ ...value, fr })} />
    </FormRow>
  );
}
