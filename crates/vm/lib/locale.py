# The native part of `locale`, for the C locale.
# Level: methods


def localeconv():
    most = 127
    return {
        "int_curr_symbol": "",
        "currency_symbol": "",
        "mon_decimal_point": "",
        "mon_thousands_sep": "",
        "mon_grouping": [],
        "positive_sign": "",
        "negative_sign": "",
        "int_frac_digits": most,
        "frac_digits": most,
        "p_cs_precedes": most,
        "p_sep_by_space": most,
        "n_cs_precedes": most,
        "n_sep_by_space": most,
        "p_sign_posn": most,
        "n_sign_posn": most,
        "decimal_point": ".",
        "thousands_sep": "",
        "grouping": [],
    }
