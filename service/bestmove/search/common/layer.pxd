# Kernels that are not compiled use layer.py, which describes the function.
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    /* Written with intrinsics, because compilers do not use `pmaddwd` (_mm_madd_epi16) here. */
    static CYTHON_INLINE int bestmove_layer(
        const uint64_t *words, const short *weights, const int *biases, const short *outputs,
        int neurons
    ) {
        __m128i pairs[8], sum = _mm_setzero_si128();
        int i, j, half;
        for (i = 0; i < 2; i++) {
            __m128i four = _mm_set_epi64x(
                (long long) words[2 * i + 1], (long long) words[2 * i]);
            pairs[4 * i] = _mm_shuffle_epi32(four, 0x00);
            pairs[4 * i + 1] = _mm_shuffle_epi32(four, 0x55);
            pairs[4 * i + 2] = _mm_shuffle_epi32(four, 0xAA);
            pairs[4 * i + 3] = _mm_shuffle_epi32(four, 0xFF);
        }
        for (j = 0; j < neurons; j += 8) {
            __m128i of[2], active;
            for (half = 0; half < 2; half++) {
                __m128i four = _mm_loadu_si128((const __m128i *) (biases + j + 4 * half));
                for (i = 0; i < 8; i++) {
                    const short *row = weights + 2 * (i * neurons + j + 4 * half);
                    four = _mm_add_epi32(four, _mm_madd_epi16(
                        pairs[i], _mm_loadu_si128((const __m128i *) row)));
                }
                of[half] = _mm_srai_epi32(four, 8);
            }
            active = _mm_max_epi16(_mm_packs_epi32(of[0], of[1]), _mm_setzero_si128());
            sum = _mm_add_epi32(sum, _mm_madd_epi16(
                active, _mm_loadu_si128((const __m128i *) (outputs + j))));
        }
        sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
        sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1));
        return _mm_cvtsi128_si32(sum) >> 8;
    }
    #else
    static CYTHON_INLINE int bestmove_layer(
        const uint64_t *words, const short *weights, const int *biases, const short *outputs,
        int neurons
    ) {
        int total = 0, i, j;
        short inputs[16];
        for (i = 0; i < 16; i++)
            inputs[i] = (short) (words[i / 4] >> (16 * (i % 4)));
        for (j = 0; j < neurons; j++) {
            int neuron = biases[j];
            for (i = 0; i < 8; i++) {
                const short *pair = weights + 2 * (i * neurons + j);
                neuron += inputs[2 * i] * pair[0] + inputs[2 * i + 1] * pair[1];
            }
            neuron >>= 8;
            if (neuron > 0)
                total += (neuron < 32767 ? neuron : 32767) * outputs[j];
        }
        return total >> 8;
    }
    #endif
    """
    int layer "bestmove_layer" (
        uint64_t *words, short *weights, int *biases, short *outputs, int neurons
    ) noexcept nogil
