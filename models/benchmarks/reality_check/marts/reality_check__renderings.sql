{{ renderings_of('reality_check') }}
