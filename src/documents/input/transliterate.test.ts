import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { transliterate } from './transliterate.ts'

describe('transliteration', () => {
  it('replaces Latin letters of any language', () => {
    const spellings = {
      'Straße nach Łódź': 'strasse nach lodz',
      GROẞ: 'gross',
      Ærøskøbing: 'aeroskobing',
      'Þórður Æðisgata': 'thordur aedisgata',
      'Œuvre, cœur': 'oeuvre, coeur',
      'Đặng Văn Ngữ': 'dang van ngu',
      'Iğdır, İzmir': 'igdir, izmir',
      'Ħal Għaxaq': 'hal ghaxaq',
      'Deatnu, Ŧ, Ŋ': 'deatnu, t, n',
      Ĳsselmeer: 'ijsselmeer',
      'Crème brûlée 2½': 'creme brulee 21⁄2',
    }
    for (const [text, plain] of Object.entries(spellings)) assert.equal(transliterate(text), plain)
  })

  it('replaces Cyrillic and Greek', () => {
    const spellings = {
      'Съешь ещё этих мягких булок': 'sesh eshche etikh myagkikh bulok',
      'Чайковский, Юлия': 'chaikovskii, yuliya',
      'Київ, Єгор, Ґудзик': 'kiiv, yegor, gudzik',
      'Љубљана, Џеп, Ђорђе': 'ljubljana, dzep, djordje',
      'Αθήνα, Ξένος, Ψυχή': 'athina, xenos, psychi',
    }
    for (const [text, plain] of Object.entries(spellings)) assert.equal(transliterate(text), plain)
  })

  it('keeps other scripts', () => {
    assert.equal(transliterate('日本 و 한국').replace(/\P{ASCII}/gu, ''), '  ')
  })
})
