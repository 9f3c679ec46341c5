// Texts to compare lines of, made of words in several scripts, always the same.

import {seeded} from './numbers.js'

const WORDS = {
  en: 'the pier at Harrow Point was rebuilt twice before anyone measured the tide; 24 boats (mostly small) left at 6:30 a.m. — well-known, rain-soaked “quotes” don’t matter, do they? https://example.org/tide?x=1',
  de: 'Straßenbahnhaltestelle Hafenrundfahrt Überfahrt über Größe, schön; Fischbrötchen „frisch“ Donaudampfschifffahrt und am Kai',
  el: 'η θάλασσα ήταν ήσυχη και τα καΐκια έφυγαν νωρίς το πρωί, πριν από τη βροχή',
  ru: 'лодка ушла из гавани до рассвета, и никто не видел её до вечера — только чайки',
  ar: 'البحر هادئ اليوم والمراكب تنتظر في الميناء قبل المطر (٢٤ مركبا)',
  he: 'הים שקט היום והסירות מחכות בנמל לפני הגשם',
  ja: '港の朝は静かで、船は雨の前に出ていった。「潮」を測る人はまだいない、東京。',
}

/** The words of a language; Japanese has none, so pieces of two characters stand for them. */
const wordsOf = (language) => language === 'ja' ? WORDS.ja.match(/.{1,2}/g) : WORDS[language].split(' ')

/** So many texts of 3 to 60 words, each with its language. */
export function texts(count, seed = 1) {
  const random = seeded(seed), languages = Object.keys(WORDS)
  return Array.from({length: count}, (_, i) => {
    const language = languages[i % languages.length], words = wordsOf(language)
    const text = Array.from({length: 3 + Math.floor(random() * 57)}, () => words[Math.floor(random() * words.length)])
    return {language, text: text.join(language === 'ja' ? '' : ' ')}
  })
}
