import { printable, type Bytes } from '@/lib/protocol/bytes';
import { classTemplate, declaredClass, namespaceOf, type LockClass } from './lock-class';

/** Names in one place of a key that are kept apart: more are values of a variable, whatever they look like. */
const MOST_WORDS = 100;
const MOST_CLASSES = 1000;
const WORD_AND_SEPARATOR = /[^:/.\-_#|{}@,;= ]*[:/.\-_#|{}@,;= ]*/g;
const SEPARATORS_BEHIND = /[:/.\-_#|{}@,;= ]*$/;

/** One place of a key: the words that were seen there, with what follows each. */
interface Place {
  words: Map<string, Place>;
  /** Any word is the same here. */
  isVariable: boolean;
}

const newPlace = (): Place => ({ words: new Map(), isVariable: false });

/** Classes of lock keys, learnt from the keys that come: a bounded number, whatever comes. */
export interface ClassLearner {
  /** The class of a key that was met. Two keys of one class may have been given two before it was learnt. */
  classify: (key: Bytes) => LockClass;
  /** Takes a class over that an earlier learner gave, in bytes. */
  remember: (template: Bytes) => void;
  /** Classes told apart now. */
  readonly size: number;
}

/**
 * `templates` (bytes, `*` = any run of them) win over what is learnt. What looks like a value (number, uuid, date,
 * hash: {@link classTemplate}) is one at once; a word becomes one when 100 others stood in its place.
 */
export function createClassLearner({ templates }: { templates: readonly Bytes[] }): ClassLearner {
  const root = newPlace();
  let classes = 0;

  const generalise = (place: Place): void => {
    classes -= [...place.words.values()].reduce((sum, after) => sum + leavesOf(after), 0);
    place.words.clear();
    place.isVariable = true;
  };

  /** The template as learnt so far, after `template` has been seen too. */
  const learn = (template: Bytes): Bytes => {
    let place = root;
    let learnt = '';
    let isNew = false;
    for (const [part] of template.matchAll(WORD_AND_SEPARATOR)) {
      if (part === '') continue;
      if (!place.isVariable && !place.words.has(part) && place.words.size >= MOST_WORDS) {
        generalise(place);
      }
      const word = place.isVariable ? `*${SEPARATORS_BEHIND.exec(part)?.[0] ?? ''}` : part;
      let next = place.words.get(word);
      if (!next) {
        isNew = true;
        place.words.set(word, (next = newPlace()));
      }
      learnt += word;
      place = next;
    }
    if (isNew) classes += 1;
    if (classes > MOST_CLASSES) generalise(widest(root));
    return learnt;
  };

  return {
    classify: (key) => {
      const template = declaredClass(key, templates) ?? learn(classTemplate(key));
      return { class: printable(template), namespace: printable(namespaceOf(template)) };
    },
    remember: (template) => void learn(template),
    get size() {
      return classes;
    },
  };
}

function leavesOf(place: Place): number {
  if (place.words.size === 0) return 1;
  return [...place.words.values()].reduce((sum, after) => sum + leavesOf(after), 0);
}

/** The place with the most words, where learning that they are one helps most. */
function widest(root: Place): Place {
  let found = root;
  const places = [root];
  for (let place = places.pop(); place; place = places.pop()) {
    if (place.words.size > found.words.size) found = place;
    places.push(...place.words.values());
  }
  return found;
}
