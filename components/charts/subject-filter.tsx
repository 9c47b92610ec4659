'use client';

import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Input, Select } from '@/components/ui/field';
import { isNarrowed, subjectChanges, type Subject } from './subject';

interface Props {
  subject: Subject;
  namespaces: readonly string[];
  /** Those with anything to show; the chosen one is offered even without. */
  classes: readonly string[];
  onChange: (changes: Record<string, string | number | null>, how?: 'push' | 'replace') => void;
}

const SHOWN_CHARACTERS = 60;
const ALL = 'all';
const named = (name: string): string => `is:${name}`;

const withChosen = (offered: readonly string[], chosen: string | null): readonly string[] =>
  chosen === null || chosen === '' || offered.includes(chosen) ? offered : [chosen, ...offered];

/** Narrows figures to a namespace, a class or a lock. */
export function SubjectFilter({ subject, namespaces, classes, onChange }: Props) {
  const t = useTranslations('charts.subject');
  const { namespace } = subject;
  const hasChoice = namespaces.length > 1 || namespace !== null;
  const chosenClass = subject.class === '' ? null : subject.class;
  return (
    <>
      {hasChoice && (
        <Choice
          label={t('namespace')}
          all={t('allNamespaces')}
          value={namespace}
          names={withChosen(namespaces, namespace)}
          say={(name) => (name === '' ? t('noNamespace') : name)}
          onChange={(name) => onChange(subjectChanges(name === null ? {} : { namespace: name }))}
        />
      )}
      <Choice
        label={t('class')}
        all={t('allClasses')}
        value={chosenClass}
        names={withChosen(classes, chosenClass)}
        say={(name) => name}
        onChange={(name) =>
          onChange(
            subjectChanges({
              ...(namespace === null ? {} : { namespace }),
              ...(name === null ? {} : { class: name }),
            }),
          )
        }
      />
      <Input
        aria-label={t('key')}
        placeholder={t('keyHint')}
        className="h-7! w-56! font-mono text-xs! max-sm:w-full!"
        value={subject.key}
        onChange={(event) =>
          onChange({ key: event.target.value, keyB64: null, db: null }, 'replace')
        }
      />
      {isNarrowed(subject) && (
        <Button look="ghost" onClick={() => onChange(subjectChanges({}))}>
          {t('clear')}
        </Button>
      )}
    </>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  value: string | null;
  names: readonly string[];
  say: (name: string) => string;
  onChange: (name: string | null) => void;
}

/** Names come from keys and may be anything, so what stands for all of them is told apart by a prefix. */
function Choice({ label, all, value, names, say, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      className="w-auto! max-w-56"
      value={value === null ? ALL : named(value)}
      onChange={(event) =>
        onChange(names.find((name) => named(name) === event.target.value) ?? null)
      }
    >
      <option value={ALL}>{all}</option>
      {names.map((name) => (
        <option key={name} value={named(name)}>
          {say(name).slice(0, SHOWN_CHARACTERS)}
        </option>
      ))}
    </Select>
  );
}
